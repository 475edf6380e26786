// SPDX-License-Identifier: MIT
// The passes of TileBoard: tiles that can change are computed, all others are left out.
#include <algorithm>
#include <array>

#include "boards/tile_internals.h"
#include "boards/tile_trace.h"

namespace moorea {
namespace {

using kernels::tile_halo;
using kernels::tile_side;

}  // namespace

kernels::Tile TileBoard::describe(Place place) const {
  const bool torus = world_.is_torus();
  const bool leftmost = place.column == 0, rightmost = place.column == columns_.parts() - 1;
  const std::int64_t left = leftmost ? columns_.parts() - 1 : place.column - 1;
  const std::int64_t right = rightmost ? 0 : place.column + 1;
  const std::int64_t y = rows_.begin[static_cast<std::size_t>(place.row)] - tile_halo;
  const std::uint64_t* dead = reinterpret_cast<const std::uint64_t*>(dead_column_.begin()) + rows_above + y;
  kernels::Tile tile;
  tile.left = leftmost && !torus ? dead : row_zero(current_, left) + y;
  tile.own = row_zero(current_, place.column) + y;
  tile.right = rightmost && !torus ? dead : row_zero(current_, right) + y;
  tile.to = row_zero(1 - current_, place.column) + y + tile_halo;
  tile.left_width = leftmost && !torus ? tile_side : columns_.size(left);
  tile.width = columns_.size(place.column);
  tile.height = rows_.size(place.row);
  tile.columns = ~std::uint64_t{0};
  tile.first = 0;
  tile.last = 63;
  if (!torus) {
    if (leftmost) tile.columns &= ~tile_mask(tile_halo);
    if (rightmost) tile.columns &= tile_mask(tile_halo + tile.width);
    if (place.row == 0) tile.first = tile_halo;
    if (place.row == rows_.parts() - 1) tile.last = tile_halo + tile.height - 1;
  }
  return tile;
}

// The cells of a tile that are cells of the world: a column may repeat those of a narrower torus.
Box TileBoard::box_of(Place place) const {
  const Box tile = {columns_.begin[static_cast<std::size_t>(place.column)],
                    rows_.begin[static_cast<std::size_t>(place.row)], columns_.size(place.column),
                    rows_.size(place.row)};
  return intersect(tile, world_.box());
}

// Computes a part of the tiles that are awake; returns how many changed.
std::uint64_t TileBoard::compute(const PassTeam::Part& part, int steps) {
  std::size_t first = part.first;
  const std::size_t last = part.last;
  const int target = 1 - current_;
  std::uint64_t all_changed = 0;
  Marker marker(*this);
  std::array<kernels::Tile, 8> batch;
  for (; first < last; first += static_cast<std::size_t>(lanes_)) {
    const int count = static_cast<int>(std::min<std::size_t>(last - first, static_cast<std::size_t>(lanes_)));
    const Place* places = awake_.data() + first;
    bool edges = false;
    for (int i = 0; i < count; ++i) {
      kernels::Tile& tile = batch[static_cast<std::size_t>(i)];
      tile = describe(places[i]);
      edges = edges || tile.columns != ~std::uint64_t{0} || tile.first != 0 || tile.last != 63;
    }
    // The next tiles' cells are on their way while these are computed
    for (std::size_t i = first + static_cast<std::size_t>(lanes_);
         i < std::min(last, first + 2 * static_cast<std::size_t>(lanes_)); ++i) {
      const std::int64_t y = rows_.begin[static_cast<std::size_t>(awake_[i].row)];
      const std::uint64_t* read = row_zero(current_, awake_[i].column) + y;
      const std::uint64_t* written = row_zero(target, awake_[i].column) + y;
      for (int row = 0; row < tile_rows + 8; row += 8) {
        __builtin_prefetch(read + row);
        __builtin_prefetch(written + row, 1);
      }
    }
    std::array<std::uint8_t, 8> changes;
    const double begin = trace_ != nullptr ? trace_->now() : 0;
    step_({batch.data(), count, steps, edges, rule_, step_window_}, changes.data());
    if (trace_ != nullptr)
      trace_->record_batch(
          part.thread, static_cast<std::size_t>(count), begin,
          [&](std::size_t i) { return box_of(places[i]); },
          [&](std::size_t i) { return first_ || changes[i] != 0; }, passed_);
    for (int i = 0; i < count; ++i) {
      const unsigned changed = first_ ? all_changes : changes[static_cast<std::size_t>(i)];
      if (changed == 0) continue;
      ++all_changed;
      Known& known = known_[static_cast<std::size_t>(target)];
      known.population[index(places[i])] = known.hash[index(places[i])] = Known::unknown;
      marker.wake(places[i], changed);
      copy_ends(target, places[i]);
    }
  }
  marker.flush();
  return all_changed;
}

// What is left to one thread between two passes.
void TileBoard::end_pass() {
  counts_.computed += awake_.size();
  written_ += awake_.size();
  counts_.skipped += tiles() - awake_.size();
  // An edited tile's next target is the buffer that was edited: it does not hold what a pass made, so the
  // tile is computed there whatever the last pass found
  if (!edited_.empty()) {
    Marker marker(*this);
    for (const Place& place : edited_) marker.wake(place, kernels::tile_changed);
    marker.flush();
    edited_.clear();
  }
  list_awake();
  current_ = 1 - current_;
  first_ = false;
  passed_ += static_cast<std::uint64_t>(steps_);
}

void TileBoard::passes(std::uint64_t count, int steps) {
  if (steps != steps_) {
    wake_all();
    steps_ = steps;
    first_ = true;
  }
  const PassTeam::Done done = team_.run(
      count, [&] { return awake_.size(); }, [&](const PassTeam::Part& part) { return compute(part, steps); },
      [&] { end_pass(); });
  counts_.changed += done.changed;
  counts_.skipped += (count - done.passes) * tiles();
  // Everything sleeps; after an odd number of passes it is the other buffer that holds the state
  if ((count - done.passes) & 1) current_ = 1 - current_;
}

void TileBoard::advance(std::uint64_t generations) {
  while (generations > 0) {
    const int steps = pass_length(generations, steps_);
    const std::uint64_t count = generations / static_cast<unsigned>(steps);
    passes(count, steps);
    generations -= count * static_cast<unsigned>(steps);
  }
}

}  // namespace moorea
