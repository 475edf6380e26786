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

Box bounds_of_unsorted(std::span<const Position> cells) {
  Position low = cells[0], high = cells[0];
  for (const Position& cell : cells) {
    low = {std::min(low.x, cell.x), std::min(low.y, cell.y)};
    high = {std::max(high.x, cell.x), std::max(high.y, cell.y)};
  }
  return {low.x, low.y, high.x - low.x + 1, high.y - low.y + 1};
}

Pattern pattern_of(const CellList& cells) {
  const Box box = bounds(cells);
  Pattern pattern;
  pattern.cells = Grid(box.width, box.height);
  pattern.position = box.position();
  for (const Position& cell : cells) pattern.cells.set(cell.x - box.x, cell.y - box.y);
  return pattern;
}

CellList translated(CellList cells, const Position& by) {
  for (Position& cell : cells) cell = cell + by;
  return cells;
}

CellList advance(const Rule& rule, const CellList& cells, std::uint64_t generations) {
  SearchContext context(rule);
  Evolution evolution(context);
  evolution.add(cells);
  for (std::uint64_t g = 0; g < generations; ++g) evolution.step();
  return evolution.cells();
}

}  // namespace moorea
