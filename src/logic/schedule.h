// SPDX-License-Identifier: MIT
// Schedules for AVX-512, whose three-input instruction overwrites its first operand and is slower than
// two-input ones: chooses the gates to replace by two operations, and the order.
#pragma once

#include <vector>

#include "logic/network.h"

namespace moorea {

/// A network in an order that needs few copies. Operand a of every gate is dead afterwards if the gate has
/// such an operand; only a gate with a copy has none.
struct Schedule {
  Network network;
  std::vector<bool> copied;  ///< for each gate: operand a must be copied first
  int copies = 0;
};

/// Operator of a gate that is one operation on two of its operands and therefore does not overwrite an
/// operand: '&', '|', '^', or '-' for a and not b; and these operands. `what` is 0 for other gates.
struct TwoOperands {
  char what = 0;
  std::uint8_t a = 0, b = 0;
};
TwoOperands two_operands(const Gate& gate);

/// Schedules a network. Only the sums of the last two rows survive, because they are the next rows' first;
/// everything else may be overwritten. A gate that equals two operations on two operands each is replaced by
/// them, with the first one shared by several gates if possible, as long as that makes the whole faster on a
/// CPU like Zen 5: in code whose operands have just been computed, four two-input operations issue per cycle
/// but hardly more than two three-input ones (bench/results/gates-*.json), and a copy takes the place of an
/// operation.
Schedule scheduled(const Network& network);

/// Returns the fastest schedule known for a rule.
Schedule schedule_for(const Rule& rule);

}  // namespace moorea
