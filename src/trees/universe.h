// SPDX-License-Identifier: MIT
// Functions of whole universes: their size, population and extent, and cells in and out.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "moorea/big_integer.h"
#include "moorea/box.h"
#include "moorea/grid.h"
#include "trees/node_store.h"

namespace moorea {

/// The node of level + 1 with `node` in its centre. Throws Error (memory).
NodeIndex enlarged(NodeStore& store, int level, NodeIndex node);

/// The node of level - 1 in the centre of a node of level 5 or more. Throws Error (memory).
NodeIndex centre_of(NodeStore& store, int level, NodeIndex node);

/// The smallest universe with the same cells; level 4 at least. Throws Error (memory).
Universe trimmed(NodeStore& store, const Universe& universe);

/// The same cells in a universe of `level` at least. Throws Error (memory).
Universe padded(NodeStore& store, const Universe& universe, int level);

/// Number of live cells of a node.
BigInteger population(NodeStore& store, int level, NodeIndex node);

/// Live columns and rows: `left` to `right` and `top` to `bottom`, the last ones included.
struct Extent {
  BigInteger left, top, right, bottom;
};

/// Extent of the live cells; empty if all are dead.
std::optional<Extent> extent_of(const NodeStore& store, const Universe& universe);

/// Hash of the live cells (Grid::hash) if cell (0, 0) had the coordinates `origin`.
std::uint64_t hash_of_cells(NodeStore& store, const Universe& universe, Position origin);

/// Live cells in each square of a raster, row by row. Visits the nodes that are larger than its squares.
std::vector<std::uint32_t> density_of_cells(const NodeStore& store, const Universe& universe,
                                            const Raster& raster);

/// As density_of_cells(), for squares of any size; numbers beyond 2^53 are rounded.
std::vector<double> far_density_of_cells(const NodeStore& store, const Universe& universe,
                                         const Raster& raster);

/// Disjoint parts of `box`, within coordinates of +-2^60, outside of which it has no live cells, row by row:
/// of squares of one size, 64 cells on a side if there are few of them, and mostly at most 1024.
std::vector<Box> live_squares(const NodeStore& store, const Universe& universe, const Box& box);

/// Copies the cells inside `box` to a view of its size; cells outside the universe are dead.
void read_cells(const NodeStore& store, const Universe& universe, const Box& box, const GridView& to);

/// The universe with the cells of `cells`, its top-left one at `at`, in place of those that are there. Throws
/// Error (memory).
Universe with_cells(NodeStore& store, const Universe& universe, const ConstGridView& cells, Position at);

}  // namespace moorea
