// SPDX-License-Identifier: MIT
#include "boards/tile_pool.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "moorea/error.h"

namespace moorea {
namespace {

constexpr std::size_t min_table = 256;
constexpr std::size_t slab_bytes = TilePool::tiles_of_slab * sizeof(SparseTile);
constexpr std::uint64_t left_strip = tile_mask(kernels::tile_halo);
constexpr std::uint64_t right_strip = left_strip << (TilePlace::width - kernels::tile_halo);

std::uint64_t any_of(const std::uint64_t* words, int number) {
  std::uint64_t any = 0;
  for (int i = 0; i < number; ++i) any |= words[i];
  return any;
}

}  // namespace

bool SparseTile::is_dead() const {
  // Some rows at a time: most tiles are not dead
  constexpr int rows = 12;
  for (int row = 0; row < end_row - first_row; row += rows) {
    if ((any_of(row_zero(0) + row, rows) | any_of(row_zero(1) + row, rows)) != 0) return false;
  }
  return true;
}

bool SparseTile::is_isolated() const {
  for (const auto& buffer : words)
    if (any_of(buffer.data(), words_of_window) != 0) return false;
  const auto reaches = [](const SparseTile* neighbour, std::uint64_t strip) {
    if (neighbour == nullptr) return false;
    return ((any_of(neighbour->words[0].data(), words_of_window) |
             any_of(neighbour->words[1].data(), words_of_window)) &
            strip) != 0;
  };
  return !reaches(near[left], right_strip) && !reaches(near[right], left_strip);
}

bool SparseTile::lives_towards(unsigned direction, int buffer) const {
  constexpr int halo = kernels::tile_halo, height = end_row - first_row;
  const unsigned column = direction % 3, row = direction / 3;
  const std::uint64_t strip = column == 0 ? left_strip : column == 2 ? right_strip : ~std::uint64_t{0};
  const int first = row == 2 ? height - halo : 0, rows = row == 1 ? height : halo;
  return (any_of(row_zero(buffer) + first, rows) & strip) != 0;
}

std::size_t TilePool::home_of(const TilePlace& place) const {
  std::uint64_t mixed = static_cast<std::uint64_t>(place.column) * 0x9E3779B97F4A7C15;
  mixed = (std::rotl(mixed, 32) ^ static_cast<std::uint64_t>(place.row)) * 0xD6E8FEB86659FD93;
  return (mixed ^ mixed >> 32) & (table_.size() - 1);
}

SparseTile* TilePool::find(const TilePlace& place) const {
  if (table_.empty()) return nullptr;
  std::size_t at = home_of(place);
  while (table_[at].tile != nullptr && table_[at].place != place) at = (at + 1) & (table_.size() - 1);
  return table_[at].tile;
}

void TilePool::insert(SparseTile& tile) {
  std::size_t at = home_of(tile.place);
  while (table_[at].tile != nullptr) at = (at + 1) & (table_.size() - 1);
  table_[at] = {tile.place, &tile};
}

// Entries after the removed one move up, so that none is behind a gap.
void TilePool::erase(const TilePlace& place) {
  const std::size_t mask = table_.size() - 1;
  std::size_t gap = home_of(place);
  while (table_[gap].place != place || table_[gap].tile == nullptr) gap = (gap + 1) & mask;
  for (std::size_t at = (gap + 1) & mask; table_[at].tile != nullptr; at = (at + 1) & mask) {
    const std::size_t home = home_of(table_[at].place);
    if (((at - home) & mask) < ((at - gap) & mask)) continue;
    table_[gap] = table_[at];
    gap = at;
  }
  table_[gap] = {};
}

// The first slab with an unused tile: low slots are used again first, so that high slabs become empty.
std::size_t TilePool::open_slab() {
  while (first_open_ < open_.size() && open_[first_open_] == 0) ++first_open_;
  if (first_open_ == open_.size()) {
    if (slabs_.size() % 64 == 0) open_.push_back(0);
    slabs_.emplace_back();
    first_open_ = (slabs_.size() - 1) / 64;
    open_[first_open_] |= std::uint64_t{1} << (slabs_.size() - 1) % 64;
  }
  const std::size_t index = first_open_ * 64 + static_cast<std::size_t>(std::countr_zero(open_[first_open_]));
  Slab& slab = slabs_[index];
  if (!slab.tiles) {
    void* const memory = std::aligned_alloc(alignof(SparseTile), slab_bytes);
    if (memory == nullptr)
      throw Error(
          "the system refused memory for the tiles of an unbounded plane: end other processes, or "
          "run a world with a size",
          ErrorKind::memory);
    std::memset(memory, 0, slab_bytes);
    slab.tiles.reset(static_cast<SparseTile*>(memory));
  }
  if (spare_ == index + 1) spare_ = 0;
  return index;
}

SparseTile& TilePool::make(const TilePlace& place) {
  if (2 * (tiles_ + 1) > table_.size()) {
    std::vector<Entry> larger(std::max(min_table, 2 * table_.size()));
    larger.swap(table_);
    for (const Entry& entry : larger)
      if (entry.tile != nullptr) insert(*entry.tile);
  }
  const std::size_t index = open_slab();
  Slab& slab = slabs_[index];
  const auto in_slab = static_cast<std::size_t>(std::countr_one(slab.used));
  slab.used |= std::uint64_t{1} << in_slab;
  if (slab.used == ~std::uint64_t{0}) open_[index / 64] &= ~(std::uint64_t{1} << index % 64);
  SparseTile& tile = slab.tiles.get()[in_slab];
  tile.place = place;
  tile.slot = static_cast<std::uint32_t>(index * tiles_of_slab + in_slab);
  tile.near.fill(nullptr);
  tile.population.fill(0);
  tile.hash.fill(0);
  for (unsigned direction = 0; direction < tile_directions; ++direction) {
    if (direction == itself) continue;
    tile.near[direction] = find(neighbour_of(place, direction));
    if (tile.near[direction] != nullptr) tile.near[direction]->near[opposite(direction)] = &tile;
  }
  constexpr std::size_t halo = kernels::tile_halo;
  for (std::size_t buffer = 0; buffer < 2; ++buffer) {
    auto& words = tile.words[buffer];
    if (const SparseTile* const above = tile.near[up])
      std::copy_n(above->words[buffer].data() + SparseTile::end_row - halo, halo, words.data());
    if (const SparseTile* const below = tile.near[down])
      std::copy_n(below->words[buffer].data() + SparseTile::first_row, halo,
                  words.data() + SparseTile::end_row);
  }
  insert(tile);
  ++tiles_;
  if (hull_known_) include(place);
  return tile;
}

void TilePool::remove(SparseTile& tile) {
  const TilePlace place = tile.place;
  erase(place);
  for (unsigned direction = 0; direction < tile_directions; ++direction)
    if (tile.near[direction] != nullptr) tile.near[direction]->near[opposite(direction)] = nullptr;
  const std::size_t index = tile.slot / tiles_of_slab;
  Slab& slab = slabs_[index];
  slab.used &= ~(std::uint64_t{1} << tile.slot % tiles_of_slab);
  open_[index / 64] |= std::uint64_t{1} << index % 64;
  first_open_ = std::min(first_open_, index / 64);
  --tiles_;
  if (place.column == low_.column || place.row == low_.row || place.column == high_.column ||
      place.row == high_.row) {
    hull_known_ = false;
  }
  if (slab.used != 0) return;
  // One empty slab keeps its memory, so that a tile that comes and goes costs no allocation
  if (spare_ == 0) {
    spare_ = index + 1;
  } else {
    slab.tiles.reset();
  }
}

void TilePool::clear() { *this = TilePool(); }

void TilePool::include(const TilePlace& place) const {
  low_ = {std::min(low_.column, place.column), std::min(low_.row, place.row)};
  high_ = {std::max(high_.column, place.column), std::max(high_.row, place.row)};
}

Box TilePool::hull() const {
  if (tiles_ == 0) return {};
  if (!hull_known_) {
    bool first = true;
    for_each([&](const SparseTile& tile) {
      if (first) low_ = high_ = tile.place;
      first = false;
      include(tile.place);
    });
    hull_known_ = true;
  }
  return {low_.column, low_.row, high_.column - low_.column + 1, high_.row - low_.row + 1};
}

}  // namespace moorea
