// SPDX-License-Identifier: MIT
// Universes from and to quadtrees as files have them.
#pragma once

#include "model/placed_quadtree.h"
#include "model/quadtree.h"
#include "trees/node_store.h"

namespace moorea {

/// The universe with the cells of a quadtree. Throws Error (memory).
Universe universe_of(NodeStore& store, const Quadtree& tree);

/// The cells of a universe as a quadtree.
Quadtree quadtree_of(const NodeStore& store, const Universe& universe);

/// The cells of a universe of any level inside a window. Throws Error (usage) for a window of more than 2^60
/// cells on a side, Error (memory).
PlacedQuadtree part_of(NodeStore& store, const Universe& universe, const BigBox& window);

}  // namespace moorea
