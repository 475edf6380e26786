// SPDX-License-Identifier: MIT
// Squares of 64 x 64 cells: the form in which an unbounded plane passes between boards and trees. Only
// squares with live cells exist, so that distant patterns cost no rectangle around them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "moorea/box.h"
#include "moorea/grid_view.h"

namespace moorea {

/// Cells whose top-left one is at `corner`, of which both coordinates are multiples of 64: bit x of row y is
/// the cell in column x.
struct CellSquare {
  static constexpr std::int64_t side = 64;

  Position corner;
  std::array<std::uint64_t, 64> rows{};

  Box box() const { return {corner.x, corner.y, side, side}; }
  ConstGridView view() const { return {rows.data(), 1, side, side}; }
};

/// Squares in any order, each place at most once.
using CellSquares = std::vector<CellSquare>;

}  // namespace moorea
