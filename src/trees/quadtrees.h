// SPDX-License-Identifier: MIT
// Universes from and to quadtrees as files have them.
#pragma once

#include "model/quadtree.h"
#include "trees/node_store.h"

namespace moorea {

/// The universe with the cells of a quadtree. Throws Error (memory).
Universe universe_of(NodeStore& store, const Quadtree& tree);

/// The cells of a universe as a quadtree.
Quadtree quadtree_of(const NodeStore& store, const Universe& universe);

}  // namespace moorea
