// SPDX-License-Identifier: MIT
// Unbounded planes that are trees, or can become trees: cells in and out without expanding them, and
// densities at any scale.
#include <algorithm>
#include <utility>
#include <vector>

#include "boards/plane_board.h"
#include "choose/choose.h"
#include "choose/plan.h"
#include "model/coordinates.h"
#include "model/memory.h"
#include "model/placed_quadtree.h"
#include "model/quadtree_squares.h"
#include "moorea/cell_tree.h"
#include "moorea/error.h"
#include "moorea/support/nine_cells.h"
#include "simulation_access.h"
#include "trees/quadtrees.h"

namespace moorea {
namespace {

TreeWorld* tree_of(const Simulation& simulation) { return SimulationAccess::board(simulation).plane_tree(); }

void require_far_raster(const Raster& raster) {
  require_box({raster.x, raster.y, raster.columns, raster.rows}, "a raster");
  const std::int64_t most = 4 * (max_coordinate / std::max<std::int64_t>(raster.scale, 1));
  if (raster.columns < 1 || raster.rows < 1 || raster.scale < 1 || raster.scale > max_far_scale ||
      raster.columns > most || raster.rows > most)
    throw Error("a raster needs at least 1 x 1 squares, of 1 to 2^48 cells on a side, within 2^62 cells",
                ErrorKind::usage);
  require_memory(16 * static_cast<double>(raster.columns) * static_cast<double>(raster.rows), "a raster");
}

// Adds the live cells of a board to the squares that they are in.
void add_cells(const Board& board, const Raster& raster, std::vector<double>& squares) {
  const std::int64_t scale = raster.scale;
  const Box seen = intersect(board.box(), {raster.x, raster.y, raster.columns * scale, raster.rows * scale});
  for (const Box& live : board.live_boxes(seen)) {
    const std::int64_t left = (live.x - raster.x) / scale, top = (live.y - raster.y) / scale;
    for (std::int64_t row = top; raster.y + row * scale < live.bottom(); ++row) {
      for (std::int64_t column = left; raster.x + column * scale < live.right(); ++column) {
        const Box part = intersect(live, {raster.x + column * scale, raster.y + row * scale, scale, scale});
        squares[static_cast<std::size_t>(row * raster.columns + column)] +=
            static_cast<double>(board.window(part).population());
      }
    }
  }
}

}  // namespace

bool Simulation::is_tree() const {
  return SimulationAccess::choice(*this).is_tree || tree_of(*this) != nullptr;
}

std::vector<PlaneChange> Simulation::plane_changes() const {
  const auto* const plane = dynamic_cast<const PlaneBoard*>(&SimulationAccess::board(*this));
  return plane == nullptr ? std::vector<PlaneChange>() : plane->changes();
}

BigInteger Simulation::far_population() const {
  TreeWorld* const tree = tree_of(*this);
  return tree == nullptr ? BigInteger(population()) : tree->population();
}

Simulation Simulation::of_tree(Rule rule, const CellTree& start, const Options& options) {
  const std::optional<BigBox> box = start.bounding_box();
  if (box && !box->as_box())
    throw Error(
        "the cells are beyond coordinates of 2^60, which moorea run has on unbounded planes: run it, and "
        "write "
        "a window of its cells",
        ErrorKind::usage);
  Simulation made = unbounded(rule, Pattern(), options);
  Board& board = SimulationAccess::board(made);
  const auto fill = [&](TreeWorld& tree) {
    tree.adopt(trimmed(tree.store(), universe_of(tree.store(), at_origin(start.cells()))));
  };
  if (auto* const plane = dynamic_cast<PlaneBoard*>(&board))
    plane->load_tree(fill);
  else if (TreeWorld* const tree = board.plane_tree())
    fill(*tree);
  else
    start.paste_to(made);
  return made;
}

CellTree Simulation::cell_tree() const {
  if (!grows()) throw Error("only an unbounded plane is a tree of cells", ErrorKind::usage);
  require_nine_cells(rule(), "a tree of cells");
  if (TreeWorld* const tree = tree_of(*this)) {
    const Universe universe = trimmed(tree->store(), tree->universe());
    return CellTree(PlacedQuadtree{quadtree_of(tree->store(), universe), {}, {}});
  }
  QuadtreeOfRuns runs;
  if (const std::optional<Box> box = bounding_box())
    for_each_live(*box, [&](Position at) { runs.add(at.x, at.y, 1); });
  return CellTree(PlacedQuadtree{runs.tree(), {}, {}});
}

CellTree CellTree::of(const Simulation& world) { return world.cell_tree(); }

std::vector<float> Simulation::fractions(const Raster& raster) const {
  require_far_raster(raster);
  const double cells = static_cast<double>(raster.scale) * static_cast<double>(raster.scale);
  std::vector<double> counts(static_cast<std::size_t>(raster.columns * raster.rows));
  if (const TreeWorld* const tree = tree_of(*this)) {
    counts = far_density_of_cells(tree->store(), tree->universe(), raster);
  } else if (raster.scale <= max_raster_scale) {
    std::ranges::copy(density(raster), counts.begin());
  } else {
    add_cells(SimulationAccess::board(*this), raster, counts);
  }
  std::vector<float> fractions;
  for (const double count : counts) fractions.push_back(static_cast<float>(count / cells));
  return fractions;
}

}  // namespace moorea
