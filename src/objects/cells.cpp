// SPDX-License-Identifier: MIT
#include "objects/cells.h"

#include "objects/evolution.h"

namespace moorea {

Box bounds(const CellList& cells) {
  Box box;
  if (cells.empty()) return box;
  std::int64_t left = cells.front().x, right = left;
  for (const Position& cell : cells) {
    left = std::min(left, cell.x);
    right = std::max(right, cell.x);
  }
  return {left, cells.front().y, right - left + 1, cells.back().y - cells.front().y + 1};
}

CellList translated(CellList cells, const Position& by) {
  for (Position& cell : cells) cell = cell + by;
  return cells;
}

CellList advance(const Rule& rule, const CellList& cells) {
  SearchContext context(rule);
  Evolution evolution(context);
  evolution.add(cells);
  evolution.step();
  return evolution.cells();
}

}  // namespace moorea
