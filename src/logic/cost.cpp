// SPDX-License-Identifier: MIT
#include "logic/network.h"
#include "logic/two_input.h"
#include "moorea/inventory.h"

namespace moorea {

double gates_per_word(const Rule& rule) { return network_for(rule).gates_per_word(); }

RuleCost rule_cost(const Rule& rule) {
  return {gates_per_word(rule), circuit_for(rule).operations_per_word()};
}

}  // namespace moorea
