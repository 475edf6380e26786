// SPDX-License-Identifier: MIT
// Rules by transitions as networks of three-input gates over the binary digits of states.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "logic/cell_network.h"
#include "moorea/rule.h"

namespace moorea {

/// Signals are numbered: first the digits of the nine cells, row by row, north west first, of each cell the
/// lowest digit first; then the gates in order. Gates are 0 if their operands are.
struct StateNetwork {
  int digits = 0;
  std::vector<CellNetwork::Gate> gates;

  /// Signals that are the digits of the next state, and whether they are complemented.
  std::vector<std::uint16_t> outputs;
  std::vector<bool> complemented;

  std::size_t inputs() const { return 9 * static_cast<std::size_t>(digits); }
};

/// A network for a rule with transitions, by decision diagrams: null if the rule has no transitions, or if
/// the network would have more gates than it takes to be faster than look-ups. Made once in a process.
std::shared_ptr<const StateNetwork> state_network(const Rule& rule);

}  // namespace moorea
