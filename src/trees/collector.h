// SPDX-License-Identifier: MIT
// Mark-and-compact collection of a store: all references lead to the next lower level, so that one sweep from
// top to bottom marks, and one from bottom to top moves the nodes together and renumbers them.
#pragma once

#include <functional>
#include <vector>

#include "trees/node_store.h"
#include "trees/results.h"

namespace moorea {

/// Called with the level of a node that is in use and the place of its number.
using NodeVisitor = std::function<void(int level, NodeIndex& node)>;

struct Collection {
  NodeStore& store;
  std::vector<Remainders>& remainders;  ///< by level
  /// Calls the visitor, which may change the numbers, with each node that is in use.
  std::function<void(const NodeVisitor&)> visit_roots;
};

/// Removes the nodes that cannot be reached from the roots by children and results. If that removes less than
/// the fraction `min_removed`, results keep no nodes: they are forgotten unless their node is in use
/// otherwise.
void collect(const Collection& collection, double min_removed);

}  // namespace moorea
