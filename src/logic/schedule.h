// SPDX-License-Identifier: MIT
// A network for AVX-512, whose three-input instruction overwrites its first operand and is slower than those
// of two inputs: which gates are two operations better, and the order.
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

/// What survives are the sums of the last two rows, for they are the next rows' first; everything else may be
/// overwritten. Gates that are two operations on two operands each are done so, with the first one shared by
/// several gates where it can be, as long as that makes the whole faster on a CPU like Zen 5: in code whose
/// operands have just been made, four operations of two inputs begin in a cycle but hardly more than two of
/// three (bench/results/gates-*.json), and a copy takes the place of an operation.
Schedule scheduled(const Network& network);

/// The fastest schedule known for a rule.
Schedule schedule_for(const Rule& rule);

}  // namespace moorea
