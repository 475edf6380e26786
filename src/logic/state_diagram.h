// SPDX-License-Identifier: MIT
// Decision diagrams of rules by transitions, with cells in any order, and over binary digits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "moorea/transitions.h"

namespace moorea {

/// A function of binary variables for each digit of the next state (R. Bryant, Graph-Based Algorithms for
/// Boolean Function Manipulation, 1986). Nodes 0 and 1 are the constants; the others follow those that they
/// depend on.
struct BinaryDiagram {
  struct Node {
    std::uint16_t variable;  ///< 9 cells row by row, north west first, of each its digits from the lowest on
    std::int32_t if_0, if_1;
  };
  std::vector<Node> nodes;  ///< from node 2 on
  std::vector<std::int32_t> outputs;
};

/// The diagram with the fewest nodes that some orders of the cells have; states that do not occur may become
/// any. Empty outputs: all diagrams had more than `max_nodes`, or the tree is too large to look for them.
BinaryDiagram binary_diagram(const Transitions::Tree& tree, int digits, std::size_t max_nodes);

}  // namespace moorea
