// SPDX-License-Identifier: MIT
// The passes of BlockBoard: row bands, or tiles shared among the threads.
#include <algorithm>
#include <cmath>
#include <mutex>
#include <vector>

#include "boards/block_board.h"
#include "boards/block_guard.h"
#include "boards/tile_trace.h"
#include "devices/cpu/placement.h"
#include "devices/cpu/threads.h"

namespace moorea {

using kernels::Layout;

void BlockBoard::pass(const Area& area, int steps) {
  const auto from_index = static_cast<std::size_t>(current_), to_index = 1 - from_index;
  const Field& from = buffers_[from_index].field();
  const Field& to = buffers_[to_index].field();
  clear_outside(to, used_[to_index], area);
  const bool edges = reads_halo(area, steps) && (!activity_ || activity_->edges_awake());
  if (edges && !contract_->wraps) fill_halo(from, world_.topology, steps);

  kernels::Block world = {from.first, to.first, from.pitch, world_.width, world_.height, steps, rule_};
  world.world = {world_.width, world_.height, world_.is_torus()};
  if (const Rule::Table* const table = world_.rule.table()) world.table = table->data();
  if (contract_->tile.width > 0) {
    run_tiles(world, area);
  } else {
    run_bands(world, area);
  }
  current_ = static_cast<int>(to_index);
  used_[to_index] = area;
}

// The cells of `box`, which begins with a word's first cell in the bits layout.
kernels::Block BlockBoard::part(const kernels::Block& whole, const Box& box) const {
  const std::ptrdiff_t first =
      box.y * whole.pitch + (kernel_->layout == Layout::bits ? box.x / 64 * 8 : box.x);
  kernels::Block block = whole;
  block.from = static_cast<const std::byte*>(whole.from) + first;
  block.to = static_cast<std::byte*>(whole.to) + first;
  block.width = box.width;
  block.height = box.height;
  block.x = box.x;
  block.y = box.y;
  return block;
}

// The step with wide vectors for a share of the team, at equal distances from thread 0 on.
kernels::Step BlockBoard::step_of(int thread, int threads) const {
  if (wide_step_ == nullptr) return step_;
  const std::int64_t wide = std::llround(tiling_.wide_share.value_or(contract_->wide_share) * threads);
  return thread * wide % threads < wide ? wide_step_ : step_;
}

void BlockBoard::run_block(kernels::Step step, const kernels::Block& block) const {
  if (guard_ == nullptr) return step(block);
  guard_->run(step, block, buffers_[static_cast<std::size_t>(1 - current_)].field());
}

void BlockBoard::run_bands(const kernels::Block& whole, const Area& area) {
  const std::int64_t left = area.left * 64, right = std::min(area.right * 64, world_.width);
  team(threads_for(area), [&](int thread, int threads) {
    const std::int64_t rows = area.bottom - area.top;
    const std::int64_t top = area.top + rows * thread / threads;
    const std::int64_t bottom = area.top + rows * (thread + 1) / threads;
    if (top >= bottom) return;
    kernels::Block band = part(whole, {left, top, right - left, bottom - top});
    band.thread = thread;
    band.threads = threads;
    const double begin = trace_ != nullptr ? trace_->now() : 0;
    run_block(step_, band);
    if (trace_ != nullptr) trace_->record(thread, {left, top, right - left, bottom - top}, begin, false);
  });
}

// The world's tiles, as far as they lie in the area.
void BlockBoard::run_tiles(const kernels::Block& whole, const Area& area) {
  const TileSize tile = tiling_.tile;
  const std::int64_t left = area.left * 64, right = std::min(area.right * 64, world_.width);
  const std::int64_t first_column = left / tile.width, first_row = area.top / tile.height;
  const std::int64_t columns = (right + tile.width - 1) / tile.width - first_column;
  const std::int64_t rows = (area.bottom + tile.height - 1) / tile.height - first_row;
  SharedLoop loop(tiling_.schedule, columns * rows);
  std::mutex mutex;
  const auto wanted = static_cast<int>(std::min<std::int64_t>(threads_for(area), columns * rows));
  if (cpus_ && std::ssize(places_) != wanted) places_ = cpus_->places(tiling_.placement, wanted);
  team(wanted, [&](int thread, int threads) {
    std::optional<Pinned> pinned;
    if (cpus_) pinned.emplace(places_[static_cast<std::size_t>(thread)]);
    TileCounts counts;
    const kernels::Step step = step_of(thread, threads);
    loop.run(thread, threads, [&](std::int64_t i) {
      const std::int64_t column = first_column + i % columns, row = first_row + i / columns;
      if (activity_ && !activity_->awake(column, row)) {
        activity_->report(column, row, false);
        ++counts.skipped;
        return;
      }
      const std::int64_t x = std::max(column * tile.width, left), y = std::max(row * tile.height, area.top);
      kernels::Block block = part(whole, {x, y, std::min((column + 1) * tile.width, right) - x,
                                          std::min((row + 1) * tile.height, area.bottom) - y});
      bool changed = false;
      if (contract_->activity != kernels::Activity::none) block.changed = &changed;
      block.thread = thread;
      block.threads = threads;
      const double begin = trace_ != nullptr ? trace_->now() : 0;
      run_block(step, block);
      if (trace_ != nullptr) trace_->record(thread, {x, y, block.width, block.height}, begin, changed);
      ++counts.computed;
      if (changed) ++counts.changed;
      if (activity_) activity_->report(column, row, changed || loaded_);
    });
    const std::lock_guard lock(mutex);
    counts_.computed += counts.computed;
    counts_.skipped += counts.skipped;
    counts_.changed += counts.changed;
  });
  if (activity_) activity_->swap();
  loaded_ = false;
}

}  // namespace moorea
