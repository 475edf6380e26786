// SPDX-License-Identifier: MIT
// One pass over bytes per look, in loops that compilers vectorise, on several threads.
#include "moorea/square_history.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "devices/cpu/threads.h"
#include "model/bits.h"
#include "model/memory.h"
#include "moorea/byte_cells.h"
#include "moorea/error.h"
#include "pictures/level_curves.h"

namespace moorea {
namespace {

// The mean of changes is weighted by (1 - 2^-mean_shift) per look. A square that changes at each look
// approaches `always`, below 2^16.
constexpr int mean_shift = 6;
constexpr int change = (1 << (16 - mean_shift)) - 1, always = change << mean_shift;
constexpr int max_looks = 1000;  // when the mean has long forgotten its beginning
constexpr int table_shift = 6;   // changes are drawn in this unit
constexpr std::size_t drawn_units = std::size_t{1} << (16 - table_shift);
constexpr int min_drawn = 4;  // units, about 90 looks after a single change
constexpr std::int64_t squares_a_thread = 1 << 16;

void require_raster(const Raster& raster) {
  if (raster.columns < 1 || raster.rows < 1 || raster.scale < 1)
    throw Error("a history of no squares", ErrorKind::usage);
  require_memory(4 * static_cast<double>(raster.columns) * static_cast<double>(raster.rows),
                 fmt::format("the history of {} x {} squares", raster.columns, raster.rows));
}

// Calls body(first, end) for parts of the rows of a raster, on as many threads as are worth it.
template <class Body>
void for_rows(const Raster& raster, const Body& body) {
  const std::int64_t wanted = std::min(raster.rows, raster.columns * raster.rows / squares_a_thread + 1);
  team(static_cast<int>(std::min<std::int64_t>(wanted, usable_threads())), [&](int thread, int threads) {
    body(raster.rows * thread / threads, raster.rows * (thread + 1) / threads);
  });
}

// Calls body(first, end) for parts of its squares.
template <class Body>
void for_squares(const Raster& raster, const Body& body) {
  for_rows(raster, [&](std::int64_t first, std::int64_t end) {
    body(static_cast<std::size_t>(first * raster.columns), static_cast<std::size_t>(end * raster.columns));
  });
}

// Entries of some squares.
struct SquareArrays {
  const std::uint8_t *now, *before;
  std::uint8_t* since;
  std::uint16_t* changes;
  std::size_t number;
};

// The mean of the changes of squares at a later generation. Those that are seen for the first time do not
// change.
void update_changes(const SquareArrays& arrays) {
  const auto [now, before, since, changes, number] = arrays;
  for (std::size_t i = 0; i < number; ++i) {
    // (with && the loop is not vectorised)
    const int changed = static_cast<int>(now[i] != before[i]) & static_cast<int>(since[i] != 0);
    changes[i] =
        static_cast<std::uint16_t>(changes[i] - (changes[i] >> mean_shift) + (changed != 0 ? change : 0));
  }
}

// The times of squares, which grow by `by`, 0 or 1. A square that is seen for the first time is new if it is
// alive, and has no trail if it is dead.
void update_times(const SquareArrays& arrays, std::uint8_t by) {
  const auto [now, before, since, changes, number] = arrays;
  for (std::size_t i = 0; i < number; ++i) {
    const std::uint8_t time = since[i];
    const std::uint8_t first = now[i] != 0 ? 1 : longest_history;
    const auto older = static_cast<std::uint8_t>(time + (time != longest_history ? by : 0));
    const std::uint8_t next = now[i] != before[i] ? 1 : older;
    since[i] = time == 0 ? first : next;
  }
}

bool same(const Raster& a, const Raster& b) {
  return a.x == b.x && a.y == b.y && a.columns == b.columns && a.rows == b.rows && a.scale == b.scale;
}

}  // namespace

SquareHistory::SquareHistory(const Raster& raster) : raster_(raster) {
  require_raster(raster);
  const auto number = static_cast<std::size_t>(raster.columns * raster.rows);
  seen_.resize(number);
  since_.resize(number);
  changes_.resize(number);
}

std::vector<std::uint8_t> SquareHistory::squares_of(const Simulation& simulation) const {
  if (raster_.scale > 1) return draw_density(simulation, {raster_, 1}).levels;
  const Grid cells = simulation.window({raster_.x, raster_.y, raster_.columns, raster_.rows});
  const ConstGridView all = cells;
  std::vector<std::uint8_t> levels(since_.size());
  for_rows(raster_, [&](std::int64_t first, std::int64_t end) {
    const std::int64_t rows = end - first, columns = raster_.columns;
    const std::span mine = std::span(levels).subspan(static_cast<std::size_t>(first * columns),
                                                     static_cast<std::size_t>(rows * columns));
    unpack_cells({all.words + first * all.words_per_row, all.words_per_row, columns, rows},
                 {mine.data(), columns, 1, columns, rows});
    for (std::uint8_t& square : mine) square = static_cast<std::uint8_t>(-square);
  });
  return levels;
}

void SquareHistory::look(const Simulation& simulation) {
  const std::uint64_t generation = simulation.generation();
  if (generation_ && generation < *generation_) restart();
  std::vector<std::uint8_t> now = squares_of(simulation);
  const bool later = generation_ && generation > *generation_;
  for_squares(raster_, [&](std::size_t first, std::size_t end) {
    const SquareArrays arrays{&now[first], &seen_[first], &since_[first], &changes_[first], end - first};
    if (later) update_changes(arrays);
    update_times(arrays, later ? 1 : 0);
  });
  if (later) {
    unit_ = generation - *generation_;
    looks_ = std::min(looks_ + 1, max_looks);
  }
  seen_ = std::move(now);
  generation_ = generation;
}

void SquareHistory::move_to(const Raster& raster) {
  if (same(raster, raster_)) return;
  SquareHistory next(raster);
  const std::int64_t scale = raster.scale;
  if (scale == raster_.scale && modulo(raster.x - raster_.x, scale) == 0 &&
      modulo(raster.y - raster_.y, scale) == 0) {
    next.generation_ = generation_;
    next.unit_ = unit_;
    next.looks_ = looks_;
    const std::int64_t right = (raster.x - raster_.x) / scale, down = (raster.y - raster_.y) / scale;
    const std::int64_t left = std::max<std::int64_t>(0, -right),
                       end = std::min(raster.columns, raster_.columns - right);
    for (std::int64_t y = std::max<std::int64_t>(0, -down);
         left < end && y < std::min(raster.rows, raster_.rows - down); ++y) {
      const std::int64_t from = (y + down) * raster_.columns + left + right, to = y * raster.columns + left;
      const auto copy = [&](const auto& source, auto& target) {
        std::copy_n(source.begin() + from, end - left, target.begin() + to);
      };
      copy(seen_, next.seen_);
      copy(since_, next.since_);
      copy(changes_, next.changes_);
    }
  }
  *this = std::move(next);
}

std::vector<std::uint8_t> SquareHistory::levels(Colouring colouring) const {
  std::vector<std::uint8_t> levels(seen_.size());
  if (colouring == Colouring::cells || !generation_) {
    levels = seen_;
  } else if (colouring == Colouring::activity) {
    // The mean began with 0, and has had this part of its weight since then
    const double weight = 1 - std::pow(1 - 1.0 / (1 << mean_shift), looks_);
    std::array<std::uint8_t, drawn_units> table{};
    for (std::size_t i = min_drawn; i < table.size(); ++i)
      table[i] = level_of(static_cast<double>(i << table_shift) / always / std::max(weight, 1e-9));
    for_squares(raster_, [&](std::size_t first, std::size_t end) {
      for (std::size_t i = first; i < end; ++i) levels[i] = table[changes_[i] >> table_shift];
    });
  } else {
    // By time; from 256 on those of live squares
    std::array<std::uint8_t, 512> table{};
    for (int time = 1; time < 256; ++time) {
      const auto at = static_cast<std::size_t>(time);
      table[at] = colouring == Colouring::age ? std::uint8_t{0} : level_since_death(time);
      table[256 + at] = colouring == Colouring::age ? level_of_age(time) : level_since_birth(time);
    }
    for_squares(raster_, [&](std::size_t first, std::size_t end) {
      for (std::size_t i = first; i < end; ++i)
        levels[i] = table[since_[i] + (seen_[i] != 0 ? std::size_t{256} : 0)];
    });
  }
  return levels;
}

Picture SquareHistory::draw(Colouring colouring, int zoom) const {
  return enlarged(levels(colouring), {raster_, zoom});
}

}  // namespace moorea
