// SPDX-License-Identifier: MIT
// Live cells of an object as a sorted list. An object has few cells and may be anywhere, so that a list is
// smaller than any grid.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "moorea/box.h"
#include "moorea/pattern.h"
#include "moorea/rule.h"

namespace moorea {

/// Row by row, from left to right.
struct RowOrder {
  bool operator()(const Position& a, const Position& b) const { return a.y != b.y ? a.y < b.y : a.x < b.x; }
};

/// Positions in RowOrder, each once.
using CellList = std::vector<Position>;

Box bounds(const CellList& cells);  ///< smallest box that contains them; empty if there are none
/// The same of cells in any order; there is at least one.
Box bounds_of_unsorted(std::span<const Position> cells);
/// A pattern of these cells at their coordinates, without a rule.
Pattern pattern_of(const CellList& cells);
CellList translated(CellList cells, const Position& by);

/// Returns the cells some generations later; the rule has no B0. Under a rule that is not life-like a call
/// makes a table of 2^18 entries first.
CellList advance(const Rule& rule, const CellList& cells, std::uint64_t generations = 1);

}  // namespace moorea
