// SPDX-License-Identifier: MIT
// A cluster is 16 rows of 16 columns in one vector; its box begins at the second column and row, so that a
// generation does not reach beyond them.
#include "census/small_ships.h"

#include <bit>
#include <optional>

#include "census/soup_kernel.h"

namespace moorea {
namespace {

using soup_kernel::Apart;
using soup_kernel::Columns;
using soup_kernel::SoupRules;
using Sixteen = std::uint64_t __attribute__((vector_size(32)));
using LogicOfSixteen = soup_kernel::Logic<Sixteen>;

constexpr int square_side = 16, rows_per_word = 4, square_words = 4;

// Row y is row y - 1.
void move_down(const Sixteen& rows, Sixteen& to) {
  to = rows << square_side | Sixteen{0, rows[0], rows[1], rows[2]} >> (64 - square_side);
}

void move_up(const Sixteen& rows, Sixteen& to) {
  to = rows >> square_side | Sixteen{rows[1], rows[2], rows[3], 0} << (64 - square_side);
}

template <SoupRules rules>
void next_of(const SoupRule& rule, const Sixteen& cells, Sixteen& to) {
  const Sixteen before = cells << 1, after = cells >> 1;
  if (rules == SoupRules::cells) {
    Apart<Sixteen> nine[9], next;
    nine[3].rows = before;
    nine[4].rows = cells;
    nine[5].rows = after;
    for (int i = 3; i < 6; ++i) {
      move_down(nine[i].rows, nine[i - 3].rows);
      move_up(nine[i].rows, nine[i + 3].rows);
    }
    if (rule.avx2 != nullptr)
      rule.avx2(nine, &next);
    else
      LogicOfSixteen::cells(rule, nine, next.rows);
    to = next.rows;
    return;
  }
  Columns<Sixteen> above, here, below;
  LogicOfSixteen::parity(before, cells, after, here.one);
  LogicOfSixteen::majority(before, cells, after, here.two);
  move_down(here.one, above.one);
  move_down(here.two, above.two);
  move_up(here.one, below.one);
  move_up(here.two, below.two);
  soup_kernel::next_of_counts<LogicOfSixteen, rules>(rule, cells, above, here, below, to);
}

// Columns and rows of live cells.
struct Extent {
  int left, right, top, bottom;
};

// Nothing if there are none.
std::optional<Extent> extent_of(const Sixteen& rows) {
  std::uint64_t columns = rows[0] | rows[1] | rows[2] | rows[3];
  if (columns == 0) return std::nullopt;
  columns |= columns >> 32;
  columns = (columns | columns >> square_side) & 0xFFFF;
  int first = 0, last = square_words - 1;
  while (rows[first] == 0) ++first;
  while (rows[last] == 0) --last;
  return Extent{std::countr_zero(columns), 64 - std::countl_zero(columns),
                first * rows_per_word + std::countr_zero(rows[first]) / square_side,
                (last + 1) * rows_per_word - std::countl_zero(rows[last]) / square_side};
}

// Moves the cells so that they begin at the second column and row.
void move_to_corner(const Extent& extent, Sixteen& rows) {
  rows = extent.left == 0 ? rows << 1 : rows >> (extent.left - 1);
  if (extent.top == 0) move_down(rows, rows);
  for (int y = 1; y < extent.top; ++y) move_up(rows, rows);
}

template <SoupRules rules>
bool is_ship(const SoupRule& rule, const Sixteen& start, std::uint64_t max_period) {
  Sixteen cells = start;
  Position moved;
  for (std::uint64_t generation = 0; generation < max_period; ++generation) {
    next_of<rules>(rule, cells, cells);
    const std::optional<Extent> extent = extent_of(cells);
    if (!extent || extent->right - extent->left > SmallShips::max_side ||
        extent->bottom - extent->top > SmallShips::max_side)
      return false;
    moved = moved + Position{extent->left - 1, extent->top - 1};
    move_to_corner(*extent, cells);
    const Sixteen differs = cells ^ start;
    if ((differs[0] | differs[1] | differs[2] | differs[3]) == 0) return moved != Position();
  }
  return false;
}

}  // namespace

bool SmallShips::include(std::span<const Position> cells, const Box& box, std::uint64_t max_period) const {
  Sixteen start = {};
  for (const Position& cell : cells) {
    const auto x = static_cast<int>(cell.x - box.x) + 1, y = static_cast<int>(cell.y - box.y) + 1;
    start[y / rows_per_word] |= std::uint64_t{1} << (y % rows_per_word * square_side + x);
  }
  if (!rule_.counts) return is_ship<SoupRules::cells>(rule_, start, max_period);
  return rule_.is_life() ? is_ship<SoupRules::life>(rule_, start, max_period)
                         : is_ship<SoupRules::counts>(rule_, start, max_period);
}

}  // namespace moorea
