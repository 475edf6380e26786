// SPDX-License-Identifier: MIT
#include "objects/planes.h"

#include "moorea/cell_tree.h"

namespace moorea {

CellList live_cells(const Simulation& world, SearchContext& context) {
  CellList cells;
  if (const std::optional<Box> box = world.bounding_box()) {
    world.for_each_live(*box, [&](Position at) {
      cells.push_back(at);
      context.add_work(1);
    });
  }
  return cells;
}

Options cpu_options(const IdentifyOptions& identify) {
  Options options;
  options.device = "cpu";
  options.threads = identify.threads;
  return options;
}

Simulation plane_of(const Rule& rule, const CellList& cells, const IdentifyOptions& options) {
  constexpr double max_area = 1 << 24;  // of a rectangle around them
  if (bounds(cells).area() <= max_area)
    return Simulation::unbounded(rule, pattern_of(cells), cpu_options(options));
  Simulation plane = Simulation::unbounded(rule, {}, cpu_options(options));
  CellTree::of(cells).paste_to(plane);
  return plane;
}

Simulation copy_of(const Simulation& plane, const IdentifyOptions& options) {
  SearchContext context(plane.rule());
  return plane_of(plane.rule(), live_cells(plane, context), options);
}

}  // namespace moorea
