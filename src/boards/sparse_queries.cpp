// SPDX-License-Identifier: MIT
// Queries of SparseBoard: population and hash of a tile are kept until it changes.
#include <algorithm>
#include <atomic>
#include <bit>
#include <unordered_map>
#include <utility>
#include <vector>

#include "boards/sparse_internals.h"
#include "devices/cpu/threads.h"
#include "model/bits.h"
#include "model/hash.h"

namespace moorea {
namespace {

constexpr std::size_t slabs_a_thread = 16;  // for which starting one pays

// The hash of a tile. The weights of columns and rows of tiles are computed once each.
class TileHasher {
 public:
  explicit TileHasher(Position origin) : origin_(origin) {}

  std::uint64_t operator()(const SparseTile& tile, int buffer) {
    const Position at = tile.place.corner() + origin_;
    const RowHasher& hash_row = columns_.try_emplace(at.x, 1, at.x).first->second;
    std::uint64_t power = 1, hash = 0;
    for (int row = 0; row < TilePlace::height; ++row) {
      const std::uint64_t* const cells = tile.row_zero(buffer) + row;
      if (*cells != 0) hash = hash_add(hash, hash_multiply(hash_row(cells, 0), power));
      power = hash_multiply(power, hash_row_base);
    }
    if (hash == 0) return 0;
    const auto [found, is_new] = rows_.try_emplace(at.y, 0);
    if (is_new) found->second = hash_power(hash_row_base, at.y);
    return hash_multiply(hash, found->second);
  }

 private:
  Position origin_;
  std::unordered_map<std::int64_t, RowHasher> columns_;  // by the coordinate of the first cell
  std::unordered_map<std::int64_t, std::uint64_t> rows_;
};

// Adds the live cells of a tile to the squares of a raster, to which other threads add as well.
void add_to_raster(const Raster& raster, const SparseTile& tile, int buffer, std::uint32_t* squares) {
  const Box all = {raster.x, raster.y, raster.columns * raster.scale, raster.rows * raster.scale};
  const Box part = intersect(tile.place.box(), all);
  if (part.empty()) return;
  const Position corner = tile.place.corner();
  for (std::int64_t y = part.y; y < part.bottom(); ++y) {
    std::uint64_t left =
        tile.row_zero(buffer)[y - corner.y] >> (part.x - corner.x) & tile_mask(static_cast<int>(part.width));
    std::uint32_t* const row = squares + (y - raster.y) / raster.scale * raster.columns;
    while (left != 0) {
      const std::int64_t column = (part.x - raster.x + std::countr_zero(left)) / raster.scale;
      const std::int64_t end = (column + 1) * raster.scale - (part.x - raster.x);
      const std::uint64_t inside = end < 64 ? left & tile_mask(static_cast<int>(end)) : left;
      std::atomic_ref(row[column])
          .fetch_add(static_cast<std::uint32_t>(popcount(inside)), std::memory_order_relaxed);
      left ^= inside;
    }
  }
}

}  // namespace

// Calls visit(tile) for all tiles, on as many threads as pay for them.
template <class Visit>
void SparseBoard::for_all_tiles(const Visit& visit) const {
  const std::size_t shares =
      std::clamp<std::size_t>(pool_.slabs() / slabs_a_thread, 1, static_cast<std::size_t>(team_.threads()));
  team(static_cast<int>(shares), [&](int thread, int threads) {
    const auto share = [&](int i) {
      return pool_.slabs() * static_cast<std::size_t>(i) / static_cast<std::size_t>(threads);
    };
    pool_.for_each(share(thread), share(thread + 1), visit);
  });
}

std::uint64_t SparseBoard::count_cells() const {
  const auto index = static_cast<std::size_t>(current_);
  std::atomic<std::uint64_t> total{0};
  for_all_tiles([&](SparseTile& tile) {
    std::uint16_t& population = tile.population[index];
    if (population == SparseTile::unknown_population) {
      std::uint64_t cells = 0;
      for (int row = 0; row < TilePlace::height; ++row) cells += popcount(tile.row_zero(current_)[row]);
      population = static_cast<std::uint16_t>(cells);
    }
    if (population != 0) total.fetch_add(population, std::memory_order_relaxed);
  });
  return total;
}

std::uint64_t SparseBoard::hash_cells(Position origin) const {
  const auto index = static_cast<std::size_t>(current_);
  if (hash_origin_ != origin) {
    pool_.for_each([](SparseTile& tile) { tile.hash.fill(SparseTile::unknown_hash); });
    hash_origin_ = origin;
  }
  TileHasher hash_tile(origin);
  std::uint64_t total = 0;
  pool_.for_each([&](SparseTile& tile) {
    if (tile.hash[index] == SparseTile::unknown_hash) tile.hash[index] = hash_tile(tile, current_);
    total = hash_add(total, tile.hash[index]);
  });
  return total;
}

std::optional<Box> SparseBoard::find_box() const {
  count_cells();  // of the tiles whose population is unknown
  std::optional<Box> live;
  pool_.for_each([&](const SparseTile& tile) {
    if (tile.population[static_cast<std::size_t>(current_)] == 0) return;
    const Box box = tile.place.box();
    if (live && live->contains(box)) return;
    std::uint64_t any = 0;
    std::int64_t top = TilePlace::height, bottom = 0;
    for (std::int64_t row = 0; row < TilePlace::height; ++row) {
      const std::uint64_t cells = tile.row_zero(current_)[row];
      if (cells == 0) continue;
      any |= cells;
      top = std::min(top, row);
      bottom = row + 1;
    }
    const std::int64_t first = std::countr_zero(any), end = std::bit_width(any);
    const Box part = {box.x + first, box.y + top, end - first, bottom - top};
    live = live ? unite(*live, part) : part;
  });
  return live;
}

std::vector<std::uint32_t> SparseBoard::density(const Raster& raster) const {
  std::vector<std::uint32_t> squares(static_cast<std::size_t>(raster.columns * raster.rows));
  const Box all = {raster.x, raster.y, raster.columns * raster.scale, raster.rows * raster.scale};
  const auto add = [&](const SparseTile& tile) { add_to_raster(raster, tile, current_, squares.data()); };
  if (all.contains(hull_)) {
    for_all_tiles(add);
  } else {
    for_tiles_in(all, add);
  }
  return squares;
}

std::vector<Box> SparseBoard::live_boxes(const Box& box) const {
  count_cells();
  std::vector<Box> boxes;
  for_tiles_in(box, [&](const SparseTile& tile) {
    if (tile.population[static_cast<std::size_t>(current_)] != 0)
      boxes.push_back(intersect(tile.place.box(), box));
  });
  std::ranges::sort(boxes, {}, [](const Box& part) { return std::pair(part.y, part.x); });
  return boxes;
}

}  // namespace moorea
