// SPDX-License-Identifier: MIT
// Cells of known objects, and of the parts of several.
#pragma once

#include "moorea/census.h"
#include "objects/cells.h"
#include "objects/separate.h"

namespace moorea {

inline CellList object_cells(const char* apgcode, const Rule& rule = Rule()) {
  const Pattern pattern = apgcode_pattern(apgcode, rule);
  CellList cells;
  for (std::int64_t y = 0; y < pattern.cells.height(); ++y) {
    for (std::int64_t x = 0; x < pattern.cells.width(); ++x) {
      if (pattern.cells.alive(x, y)) cells.push_back({x, y});
    }
  }
  return cells;
}

inline std::vector<CellList> separate(SearchContext& context, const CellList& cells,
                                      std::uint64_t generations) {
  return Separation(context, cells).parts(generations);
}

}  // namespace moorea
