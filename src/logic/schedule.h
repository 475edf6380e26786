// SPDX-License-Identifier: MIT
// The order in which a network's gates are computed, for instructions that overwrite their first operand.
#pragma once

#include <vector>

#include "logic/network.h"

namespace moorea {

/// A network in an order that needs few copies. Operand a of every gate is one that nothing needs afterwards,
/// where there is such an operand; only a gate with a copy has none.
struct Schedule {
  Network network;
  std::vector<bool> copied;  ///< for each gate: operand a must be copied first
  int copies = 0;
};

/// The operator of a gate that is one operation on two of its operands, which does not overwrite an operand:
/// '&', '|', '^', or '-' for the first and not the second; and which they are. What is 0 for other gates.
struct TwoOperands {
  char what = 0;
  std::uint8_t a = 0, b = 0;
};
TwoOperands two_operands(const Gate& gate);

/// The order with the fewest copies. What must survive are the sums of the last two rows, for they are the
/// next rows' first; everything else may be overwritten. Two gates that begin with the same operation on two
/// operands share it where that saves more copies than it adds gates.
Schedule scheduled(const Network& network);

}  // namespace moorea
