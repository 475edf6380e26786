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
  for (std::int64_t i = bands_.number * thread / threads; i < bands_.number * (thread + 1) / threads; ++i) {
    const std::int64_t begin = i * bands_.rows, end = std::min(begin + bands_.rows, world_.height);
    const Part part = influenced(pass, begin, end);
    clear_rows(pass, begin, part.begin);
    clear_rows(pass, part.begin, part.end, part.columns);
    if (part.begin < part.end) advance_part(pass, part, thread);
    clear_rows(pass, part.end, end);
  }
}

// The rows of a band, and the columns, that may be influenced by cells that are not in state 0.
StatesBoard::Part StatesBoard::influenced(const Pass& pass, std::int64_t begin, std::int64_t end) const {
  const ColumnRange all = {0, form_.columns()};
  if (world_.rule.births_from_nothing()) return {begin, end, all};
  const std::vector<ColumnRange>& live = buffers_[static_cast<std::size_t>(pass.from)].live;
  const std::int64_t around = pass.steps * bands_.reach;
  std::int64_t first = end + around, last = begin - around;  // rows with such cells
  ColumnRange columns = {all.end, 0};
  for (std::int64_t y = begin - around; y < end + around; ++y) {
    const bool is_inside = y >= 0 && y < world_.height;
    if (!shape_.torus && !is_inside) continue;
    const ColumnRange& there = live[static_cast<std::size_t>(is_inside ? y : modulo(y, world_.height))];
    if (there.empty()) continue;
    first = std::min(first, y);
    last = y;
    columns = {std::min(columns.begin, there.begin), std::max(columns.end, there.end)};
  }
  if (columns.empty()) return {end, end, {}};
  // Kernels compute pairs of rows
  const std::int64_t from = first - around - begin, until = last + around + 1 - begin;
  Part part = {begin + std::max<std::int64_t>(from / 2 * 2, 0), std::min(begin + even(until), end), all};
  const bool has_windows = form_.has_cells() && !shape_.torus && world_.rule.blocks() == nullptr;
  if (has_windows)
    part.columns = {std::max<std::int64_t>(columns.begin - around, 0),
                    std::min(columns.end + around, all.end)};
  return part;
}

// Clears the cells of these rows in the buffer that a pass writes, but for some columns.
void StatesBoard::clear_rows(const Pass& pass, std::int64_t begin, std::int64_t end, ColumnRange but) {
  Buffer& to = buffers_[static_cast<std::size_t>(1 - pass.from)];
  for (std::int64_t y = begin; y < end; ++y) {
    ColumnRange& live = to.live[static_cast<std::size_t>(y)];
    if (live.empty()) continue;
    std::byte* const first = row(to, y);
    // On a torus the halo columns are copies of cells
    if (but.empty() && (shape_.torus || !form_.has_cells())) {
      std::memset(first - form_.halo_bytes(), 0, static_cast<std::size_t>(row_bytes_));
    } else if (form_.has_cells()) {
      const std::int64_t left = std::clamp(but.begin, live.begin, live.end);
      std::fill(first + live.begin, first + left, std::byte{});
      std::fill(first + std::clamp(but.end, left, live.end), first + live.end, std::byte{});
    }
    if (but.empty()) live = {};
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
void StatesBoard::advance_part(const Pass& pass, const Part& part, int thread) {
  const auto [begin, end, columns] = part;
  std::byte* const scratch = scratch_[static_cast<std::size_t>(thread)].begin();
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
  if (!kernel_scratch_.empty()) rows.scratch = kernel_scratch_[static_cast<std::size_t>(thread)].begin();
  // Bytes that are cells: the others, which the kernel takes for the halo, are 0
  const bool has_window = columns.end - columns.begin < rows.columns;
  if (has_window) rows.columns = rows.width = columns.end - columns.begin;
  std::array<std::int64_t, max_pass_steps + 1> done{};
  for (int g = 1; g <= pass.steps; ++g) done[static_cast<std::size_t>(g)] = top + g * reach;
  for (std::int64_t front = top + reach + bands_.wave; done[static_cast<std::size_t>(pass.steps)] < end;
       front += bands_.wave) {
    for (int g = 1; g <= pass.steps; ++g) {
      std::int64_t& y = done[static_cast<std::size_t>(g)];
      const std::int64_t until = std::min(front - (g - 1) * reach, end + (pass.steps - g) * reach);
      if (until <= y) continue;
      rows.from =
          (g == 1 ? before + (y - reach - top) * row_bytes_ : row_of(g - 1, y - reach)) + columns.begin;
      rows.to = row_of(g, y) + columns.begin;
      rows.pairs = (until - y + 1) / 2;
      rows.blocks = blocks_at(pass.is_odd != (g % 2 == 0), y);
      binding_.step(rows);
      if (g < pass.steps) clear_outside(row_of(g, y) - form_.halo_bytes(), y, until);
      y = until;
    }
  }
  for (std::int64_t y = begin; y < end; ++y)
    to.live[static_cast<std::size_t>(y)] = form_.live_columns(row(to, y), columns);
}

}  // namespace moorea
