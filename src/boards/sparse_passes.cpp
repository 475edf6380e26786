// SPDX-License-Identifier: MIT
// The passes of SparseBoard: active tiles are computed, then missing neighbours are made and dead tiles
// removed.
#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "boards/sparse_board.h"
#include "boards/tile_trace.h"
#include "model/bits.h"
#include "model/memory.h"
#include "moorea/error.h"

namespace moorea {
namespace {

constexpr std::array<std::uint64_t, SparseTile::words_of_window> no_cells{};

// Sides that must have changed for a neighbour to read something that changed.
constexpr std::array<unsigned, tile_directions> sides_towards = {
    kernels::top_changed | kernels::left_changed,
    kernels::top_changed,
    kernels::top_changed | kernels::right_changed,
    kernels::left_changed,
    0,
    kernels::right_changed,
    kernels::bottom_changed | kernels::left_changed,
    kernels::bottom_changed,
    kernels::bottom_changed | kernels::right_changed,
};

constexpr double share_of_memory = 0.8;  // of the available memory, for tiles
constexpr std::uint64_t chunk_of_passes = 20;
constexpr std::size_t growth = 49;  // of the number of tiles in so many passes, at most: from 1 to 7 x 7

// A number of places that may exceed all numbers of tiles.
std::size_t enclosed(double places) { return static_cast<std::size_t>(std::min(places, 1e15)); }

}  // namespace

kernels::Tile SparseBoard::describe(SparseTile& tile) const {
  const auto words_of = [&](const SparseTile* neighbour) {
    return neighbour == nullptr ? no_cells.data()
                                : neighbour->words[static_cast<std::size_t>(current_)].data();
  };
  kernels::Tile result;
  result.left = words_of(tile.near[left]);
  result.own = tile.words[static_cast<std::size_t>(current_)].data();
  result.right = words_of(tile.near[right]);
  result.to = tile.row_zero(1 - current_);
  result.left_width = result.width = TilePlace::width;
  result.height = TilePlace::height;
  if (bounds_) {
    constexpr int halo = kernels::tile_halo;
    const Box box = tile.place.box();
    result.columns = ~std::uint64_t{0};
    if (box.x == bounds_->x) result.columns &= ~tile_mask(halo);
    if (box.right() == bounds_->right()) result.columns &= tile_mask(halo + result.width);
    result.first = box.y == bounds_->y ? halo : 0;
    result.last = box.bottom() == bounds_->bottom() ? halo + result.height - 1 : 63;
  }
  return result;
}

// The cells of tiles that are computed next are on their way while others are computed.
void SparseBoard::prefetch(std::size_t first, std::size_t last) const {
  for (std::size_t i = first; i < std::min(last, first + static_cast<std::size_t>(lanes_)); ++i) {
    for (const auto& buffer : awake_[i]->words)
      for (std::size_t word = 0; word < buffer.size(); word += 8) __builtin_prefetch(buffer.data() + word);
    __builtin_prefetch(&awake_[i]->near);
  }
}

// Computes tiles of those awake; returns how many changed.
std::uint64_t SparseBoard::compute(const PassTeam::Part& part) {
  Findings& findings = findings_[static_cast<std::size_t>(part.thread)];
  findings.shared = part.shared;
  std::uint64_t number = 0;
  std::array<kernels::Tile, 8> batch;
  const auto lanes = static_cast<std::size_t>(lanes_);
  for (std::size_t first = part.first; first < part.last; first += lanes) {
    const std::size_t count = std::min(part.last - first, lanes);
    SparseTile* const* const tiles = awake_.data() + first;
    for (std::size_t i = 0; i < count; ++i) batch[i] = describe(*tiles[i]);
    prefetch(first + lanes, part.last);
    std::array<std::uint8_t, 8> changes;
    const double begin = trace_ != nullptr ? trace_->now() : 0;
    step_({batch.data(), static_cast<int>(count), steps_, bounds_.has_value(), rule_, step_window_},
          changes.data());
    if (trace_ != nullptr)
      trace_->record_batch(
          part.thread, count, begin, [&](std::size_t i) { return tiles[i]->place.box(); },
          [&](std::size_t i) { return first_ || changes[i] != 0; }, passed_);
    for (std::size_t i = 0; i < count; ++i) {
      if (const unsigned all = first_ ? all_changes : changes[i]; all != 0) {
        ++number;
        changed(*tiles[i], all, findings);
      } else if (tiles[i]->is_dead()) {
        findings.dead.push_back(tiles[i]);
      }
    }
  }
  return number;
}

// Wakes a tile and the neighbours that read what changed.
void SparseBoard::changed(SparseTile& tile, unsigned changes, Findings& findings) {
  const int target = 1 - current_;
  tile.forget(target);
  woken_.set(tile.slot, findings.shared);
  if (changes == kernels::tile_changed) return;
  publish(tile, target, changes);
  for (unsigned direction = 0; direction < tile_directions; ++direction) {
    const unsigned sides = sides_towards[direction];
    if (direction == itself || (changes & sides) != sides) continue;
    if (const SparseTile* const neighbour = tile.near[direction]) {
      woken_.set(neighbour->slot, findings.shared);
    } else if (tile.lives_towards(direction, target)) {
      findings.missing.push_back({&tile, direction});
    }
  }
}

// Copies rows that changed to the tiles above and below. Another thread may write other words of these.
void SparseBoard::publish(SparseTile& tile, int buffer, unsigned changes) const {
  constexpr std::size_t halo = kernels::tile_halo;
  const auto index = static_cast<std::size_t>(buffer);
  const std::uint64_t* const own = tile.words[index].data();
  if (SparseTile* const above = tile.near[up]; above != nullptr && (changes & kernels::top_changed) != 0)
    std::copy_n(own + SparseTile::first_row, halo, above->words[index].data() + SparseTile::end_row);
  if (SparseTile* const below = tile.near[down]; below != nullptr && (changes & kernels::bottom_changed) != 0)
    std::copy_n(own + SparseTile::end_row - halo, halo, below->words[index].data());
}

// What is left to one thread between two passes.
void SparseBoard::end_pass() {
  counts_.computed += awake_.size();
  counts_.skipped += pool_.tiles() - awake_.size();
  current_ = 1 - current_;
  passed_ += static_cast<std::uint64_t>(steps_);
  first_ = false;
  // An edited tile's next target is the buffer that was edited: it does not hold what a pass made, so the
  // tile is computed there whatever the last pass found
  for (const SparseTile* tile : edited_) woken_.set(tile->slot, false);
  edited_.clear();
  for (Findings& findings : findings_) make_missing(findings);
  for (Findings& findings : findings_) remove_dead(findings);
  list_awake();
}

// Tiles that read live cells of the present buffer. If one cannot be made, the plane is bounded from now on.
void SparseBoard::make_missing(Findings& findings) {
  for (const Findings::Missing& missing : findings.missing) {
    if (missing.tile->near[missing.direction] != nullptr) continue;
    if (SparseTile* const tile = make(neighbour_of(missing.tile->place, missing.direction)))
      woken_.set(tile->slot, false);
  }
  findings.missing.clear();
}

void SparseBoard::remove_dead(Findings& findings) {
  for (SparseTile* tile : findings.dead)
    if (!woken_.is_set(tile->slot) && tile->is_isolated()) pool_.remove(*tile);
  findings.dead.clear();
}

// Whether the plane may have so many tiles. The available memory is looked up once there are many.
bool SparseBoard::may_have(std::size_t tiles) {
  constexpr std::uint64_t without_look = 64 << 20;  // bytes
  constexpr double bytes_a_tile = TilePool::bytes_of_tile;
  if (tiles <= max_tiles_) return true;
  if (limit_known_) return false;
  const std::uint64_t chosen = std::min(max_bytes_ != 0 ? max_bytes_ : ~std::uint64_t{0}, chosen_memory());
  if (chosen > without_look && static_cast<double>(tiles) * bytes_a_tile <= without_look) {
    max_tiles_ = static_cast<std::size_t>(without_look / bytes_a_tile);
    return true;
  }
  const double present = static_cast<double>(pool_.tiles()) * bytes_a_tile;
  double bytes = share_of_memory * (static_cast<double>(available_memory()) + present);
  if (max_bytes_ != 0) bytes = std::min(bytes, static_cast<double>(max_bytes_));
  max_tiles_ = static_cast<std::size_t>(bytes / bytes_a_tile);
  limit_known_ = true;
  return tiles <= max_tiles_;
}

void SparseBoard::require_room(std::size_t tiles) {
  if (may_have(tiles)) return;
  constexpr double bytes_a_tile = TilePool::bytes_of_tile;
  const double bytes = max_tiles_ == 0 && max_bytes_ != 0 ? static_cast<double>(max_bytes_)
                                                          : static_cast<double>(max_tiles_) * bytes_a_tile;
  throw Error(fmt::format("{} tiles of 52 x 48 cells of an unbounded plane, which need {} of memory, do not "
                          "fit into the {} that it may use: raise the limit of memory, or run a world with a "
                          "size",
                          tiles, human_bytes(static_cast<double>(tiles) * bytes_a_tile), human_bytes(bytes)),
              ErrorKind::memory);
}

// Adds a tile; null outside of the plane's bounds. The plane becomes bounded when its tiles would enclose
// more places than there is memory for, if these are filled to a quarter, or half of that memory is used:
// what it encloses then can mostly be filled.
SparseTile* SparseBoard::make(const TilePlace& place) {
  const Box box = place.box();
  constexpr std::int64_t limit = max_sparse_coordinate - TilePlace::width;
  if (box.x < -limit || box.y < -limit || box.x > limit || box.y > limit) {
    throw Error(
        fmt::format("live cells have come to column {}, row {}, and a sparse plane ends at +-{}: run "
                    "fewer generations, or place the pattern near (0, 0)",
                    box.x, box.y, max_sparse_coordinate));
  }
  if (bounds_ && !bounds_->contains(box)) return nullptr;
  const Box hull = pool_.hull();
  if (!bounds_ && !hull.contains(Position{place.column, place.row})) {
    const double next = unite(hull, {place.column, place.row, 1, 1}).area();
    const auto filled = static_cast<double>(4 * pool_.tiles());
    if (!may_have(enclosed(next)) && (filled > next || !may_have(2 * (pool_.tiles() + 1)))) {
      follow_hull();
      bounds_ = hull_;
      return nullptr;
    }
  }
  require_room(pool_.tiles() + 1);
  SparseTile& tile = pool_.make(place);
  woken_.resize(pool_.slots());
  return &tile;
}

void SparseBoard::passes(std::uint64_t count, int steps) {
  if (steps != steps_) {
    wake_all();
    steps_ = steps;
    first_ = true;
  }
  const PassTeam::Done done = team_.run(
      count, [&] { return awake_.size(); }, [&](const PassTeam::Part& part) { return compute(part); },
      [&] { end_pass(); });
  counts_.changed += done.changed;
  const std::uint64_t left = count - done.passes;
  counts_.skipped += left * pool_.tiles();
  // Everything sleeps; after an odd number of passes it is the other buffer that holds the state
  if (left & 1) current_ = 1 - current_;
}

void SparseBoard::advance(std::uint64_t generations) {
  while (generations > 0) {
    const int steps = pass_length(generations, steps_);
    const std::uint64_t count = generations / static_cast<unsigned>(steps);
    passes(count, steps);
    generations -= count * static_cast<unsigned>(steps);
  }
  follow_hull();
}

// So few generations that memory cannot end in the middle of them without the caller's knowledge.
std::uint64_t SparseBoard::prepare(std::uint64_t generations) {
  constexpr auto halo = static_cast<std::uint64_t>(kernels::tile_halo);
  if (awake_.empty() || bounds_) return generations;
  const bool is_safe = may_have(growth * pool_.tiles());
  return std::min(generations, is_safe ? chunk_of_passes * halo : halo);
}

std::uint64_t SparseBoard::advance_comparing() {
  advance(1);
  std::uint64_t changed = 0;
  pool_.for_each([&](const SparseTile& tile) {
    for (int row = 0; row < TilePlace::height; ++row)
      changed += popcount(tile.row_zero(0)[row] ^ tile.row_zero(1)[row]);
  });
  return changed;
}

}  // namespace moorea
