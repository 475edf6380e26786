// SPDX-License-Identifier: MIT
// Passes of a StatesBoard over its world.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>

#include "boards/states_bands.h"
#include "boards/states_board.h"
#include "model/bits.h"

namespace moorea {
namespace {

// Of passes for which the number of threads is chosen, at least
constexpr double min_portion_seconds = 0.0002;
constexpr double scratch_bytes = 1 << 20;  // of a thread: a second-level cache
constexpr double wave_bytes = 32 << 10;    // of a wave in both buffers: a first-level cache
constexpr std::int64_t min_wave_rows = 8, max_wave_rows = 32;
constexpr std::int64_t min_rows_a_step = 4;  // of a band, which bounds the work done twice at its borders
constexpr std::int64_t max_band_rows = 256;

std::int64_t even(std::int64_t rows) { return rows + rows % 2; }

}  // namespace

StateBands bands_for(const StateRowForm& form, std::int64_t height, int max_steps, int threads) {
  StateBands bands;
  bands.reach = form.reach();
  const auto fitting = static_cast<std::int64_t>(scratch_bytes / 2) / form.row_bytes();
  bands.steps = static_cast<int>(std::clamp<std::int64_t>(fitting / 12, std::min(4, max_steps), max_steps));
  const std::int64_t min_rows = std::max<std::int64_t>(min_rows_a_step * bands.steps * bands.reach, 2);
  const std::int64_t a_thread = (height + threads - 1) / threads;
  bands.rows = even(std::clamp(std::min(fitting - 2 * bands.steps * bands.reach, a_thread), min_rows,
                               std::max(max_band_rows, min_rows)));
  const std::int64_t in_first_cache =
      static_cast<std::int64_t>(wave_bytes / 2) / form.row_bytes() - bands.steps;
  bands.wave = std::clamp<std::int64_t>(in_first_cache, min_wave_rows, max_wave_rows) / 2 * 2;
  // Rows of one generation alone need no wave
  if (bands.steps == 1) bands.wave = bands.rows;
  bands.number = (height + bands.rows - 1) / bands.rows;
  return bands;
}

void StatesBoard::advance(std::uint64_t generations) {
  const auto depth = static_cast<std::uint64_t>(bands_.steps);
  const double words = static_cast<double>(words_for(world_.width)) * static_cast<double>(world_.height);
  while (generations > 0) {
    const double pass = words * static_cast<double>(std::min(depth, generations)) * state_word_seconds;
    const auto passes = static_cast<std::uint64_t>(std::max(min_portion_seconds / pass, 1.0));
    const std::uint64_t portion = std::min(generations, passes * depth);
    const double units = words * static_cast<double>(portion);
    const auto max_threads = static_cast<int>(std::min<std::int64_t>(bands_.number, std::ssize(scratch_)));
    const int threads = team_size_.choose(units, max_threads);
    const auto begin = std::chrono::steady_clock::now();
    advance_with(portion, threads);
    team_size_.measured(units,
                        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    generations -= portion;
  }
}

void StatesBoard::advance_with(std::uint64_t generations, int wanted) {
  Phases phases(wanted);
  const int first = current_;
  const auto depth = static_cast<std::uint64_t>(bands_.steps);
  team(wanted, [&](int thread, int threads) {
    int from = first;
    for (std::uint64_t left = generations; left > 0; from = 1 - from) {
      const std::uint64_t steps = std::min(left, depth);
      pass({from, static_cast<int>(steps), is_odd_ != ((generations - left) % 2 != 0)}, thread, threads);
      phases.next(thread, threads);
      left -= steps;
    }
  });
  if ((generations + depth - 1) / depth % 2 != 0) current_ = 1 - current_;
  if (generations % 2 != 0) is_odd_ = !is_odd_;
}

void StatesBoard::pass(const Pass& pass, int thread, int threads) {
  std::byte* const scratch = scratch_[static_cast<std::size_t>(thread)].begin();
  for (std::int64_t i = bands_.number * thread / threads; i < bands_.number * (thread + 1) / threads; ++i) {
    const std::int64_t begin = i * bands_.rows, end = std::min(begin + bands_.rows, world_.height);
    if (!world_.rule.births_from_nothing() && is_dead(pass, begin, end)) {
      clear_band(pass, begin, end);
    } else {
      advance_band(pass, begin, end, scratch);
    }
  }
}

// Whether all cells that influence these rows are dead.
bool StatesBoard::is_dead(const Pass& pass, std::int64_t begin, std::int64_t end) const {
  const std::vector<std::uint8_t>& live = buffers_[static_cast<std::size_t>(pass.from)].live;
  const std::int64_t around = pass.steps * bands_.reach;
  for (std::int64_t y = begin - around; y < end + around; ++y) {
    if (!shape_.torus && (y < 0 || y >= world_.height)) continue;
    if (live[static_cast<std::size_t>(modulo(y, world_.height))] != 0) return false;
  }
  return true;
}

void StatesBoard::clear_band(const Pass& pass, std::int64_t begin, std::int64_t end) {
  Buffer& to = buffers_[static_cast<std::size_t>(1 - pass.from)];
  for (std::int64_t y = begin; y < end; ++y) {
    std::uint8_t& live = to.live[static_cast<std::size_t>(y)];
    if (live == 0) continue;
    std::memset(row(to, y) - form_.halo_bytes(), 0, static_cast<std::size_t>(row_bytes_));
    live = 0;
  }
}

// The rows of a band and those around it that influence them, before the pass: where they are, or a copy of
// them if they lie beyond the world's edge.
const std::byte* StatesBoard::rows_before(const Pass& pass, std::int64_t begin, std::int64_t end,
                                          std::byte* scratch) const {
  const Buffer& from = buffers_[static_cast<std::size_t>(pass.from)];
  const std::int64_t around = pass.steps * bands_.reach;
  const std::int64_t first = begin - around, last = end + around;
  if (first >= 0 && last <= world_.height) return row(from, first);
  for (std::int64_t y = first; y < last; ++y) {
    std::byte* const to = scratch + (y - first) * row_bytes_;
    if (!shape_.torus && (y < 0 || y >= world_.height)) {
      std::memset(to, 0, static_cast<std::size_t>(row_bytes_));
    } else {
      std::memcpy(to, row(from, modulo(y, world_.height)) - form_.halo_bytes(),
                  static_cast<std::size_t>(row_bytes_));
    }
  }
  return scratch + form_.halo_bytes();
}

// Clears what lies beyond the edges of a plane in rows `begin` to `end` - 1.
void StatesBoard::clear_outside(std::byte* rows, std::int64_t begin, std::int64_t end) const {
  if (shape_.torus) return;
  for (std::int64_t y = begin; y < end; ++y) {
    if (y < 0 || y >= world_.height)
      std::memset(rows + (y - begin) * row_bytes_, 0, static_cast<std::size_t>(row_bytes_));
  }
}

// The blocks of the generation that an even or odd one becomes, from row `y` on.
kernels::BlockTable StatesBoard::blocks_at(bool odd, std::int64_t y) const {
  kernels::BlockTable table;
  if (world_.rule.blocks() == nullptr) return table;
  std::ranges::copy(*world_.rule.blocks(), std::begin(table.next));
  table.from_first_row = (modulo(y, 2) == 1) == odd;
  table.from_first_column = !odd;
  return table;
}

// A wave of rows goes through all generations while it is in the first-level cache: each generation follows
// the one before it by as many rows as cells reach. Generations take turns in two buffers; a row is
// overwritten when the generation between has used it.
void StatesBoard::advance_band(const Pass& pass, std::int64_t begin, std::int64_t end, std::byte* scratch) {
  Buffer& to = buffers_[static_cast<std::size_t>(1 - pass.from)];
  const std::byte* const before = rows_before(pass, begin, end, scratch);
  const std::int64_t reach = bands_.reach;
  const std::int64_t top = begin - pass.steps * reach;  // of the rows before the pass
  // Row y of a generation within the pass; in the two buffers, rows begin at `top`
  const auto row_of = [&](int generation, std::int64_t y) -> std::byte* {
    if (generation == pass.steps) return row(to, y);
    return scratch + (generation % 2 * bands_.buffer_rows() + y - top) * row_bytes_ + form_.halo_bytes();
  };
  kernels::StateRows rows = shape_;
  rows.has_boundary = has_boundary_;
  std::array<std::int64_t, max_pass_steps + 1> done{};
  for (int g = 1; g <= pass.steps; ++g) done[static_cast<std::size_t>(g)] = top + g * reach;
  for (std::int64_t front = top + reach + bands_.wave; done[static_cast<std::size_t>(pass.steps)] < end;
       front += bands_.wave) {
    for (int g = 1; g <= pass.steps; ++g) {
      std::int64_t& y = done[static_cast<std::size_t>(g)];
      const std::int64_t until = std::min(front - (g - 1) * reach, end + (pass.steps - g) * reach);
      if (until <= y) continue;
      rows.from = g == 1 ? before + (y - reach - top) * row_bytes_ : row_of(g - 1, y - reach);
      rows.to = row_of(g, y);
      rows.pairs = (until - y + 1) / 2;
      rows.blocks = blocks_at(pass.is_odd != (g % 2 == 0), y);
      binding_.step(rows);
      if (g < pass.steps) clear_outside(rows.to - form_.halo_bytes(), y, until);
      y = until;
    }
  }
  for (std::int64_t y = begin; y < end; ++y)
    to.live[static_cast<std::size_t>(y)] = form_.is_live(row(to, y)) ? 1 : 0;
}

}  // namespace moorea
