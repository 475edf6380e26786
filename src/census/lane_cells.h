// SPDX-License-Identifier: MIT
// Cells of single worlds of a bit-sliced board, most of which is dead.
#pragma once

#include <span>

#include "ensembles/lane_view.h"
#include "objects/cells.h"

namespace moorea {

/// Appends the live cells of each of these lanes, row by row, to the list with the lane's index.
void append_live_cells(const LaneView& view, const LaneSet& lanes, std::span<CellList> by_lane);

/// Kills all cells of these lanes.
void clear_lanes(const LaneView& view, const LaneSet& lanes);

/// Lanes that have live cells in the outermost `columns` columns and rows.
LaneSet lanes_at_border(const LaneView& view, std::int64_t columns);

inline bool is_alive(const LaneView& view, int lane, const Position& at) {
  return (view.at(at.x, at.y)[lane / 64] >> lane % 64 & 1) != 0;
}
inline void toggle(const LaneView& view, int lane, const Position& at) {
  view.at(at.x, at.y)[lane / 64] ^= std::uint64_t{1} << lane % 64;
}
inline void make_alive(const LaneView& view, int lane, const Position& at) {
  view.at(at.x, at.y)[lane / 64] |= std::uint64_t{1} << lane % 64;
}

}  // namespace moorea
