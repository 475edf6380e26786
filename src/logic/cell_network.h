// SPDX-License-Identifier: MIT
// A rule that does not count as a network of three-input gates over the nine cells of a neighbourhood.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "moorea/rule.h"

namespace moorea {

/// Signals are numbered: first the nine cells row by row, north west first, then the gates in order.
struct CellNetwork {
  static constexpr std::size_t inputs = 9;

  /// As moorea::Gate, with more signals.
  struct Gate {
    std::uint16_t a, b, c;
    std::uint8_t table;
  };

  std::vector<Gate> gates;
  std::uint16_t output = 0;  ///< the signal that is the next state

  /// The next state of the cell in the middle of a neighbourhood, numbered as in Rule::Table.
  bool next(unsigned neighbourhood) const;
};

/// Number of two-input operations for the network's gates.
std::size_t operations_of(const CellNetwork& network);

/// Returns the network with the fewest gates that a search of a tenth of a second finds; about 95 if the rule
/// has no structure. The same for equal rules. Results of the last rules are kept.
CellNetwork cell_network_for(const Rule& rule);

}  // namespace moorea
