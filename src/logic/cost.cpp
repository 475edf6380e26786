// SPDX-License-Identifier: MIT
#include <cstddef>
#include <memory>

#include "logic/network.h"
#include "logic/pair_network.h"
#include "logic/state_network.h"
#include "logic/two_input.h"
#include "model/process_cache.h"
#include "moorea/inventory.h"

namespace moorea {
namespace {

constexpr std::size_t max_costs = 256;

bool is_by_transitions(const Rule& rule) { return rule.transitions() != nullptr && !rule.is_wires(); }

// Of the digits of the next states; none if the rule is looked up.
RuleCost cost_of_transitions(const Rule& rule) {
  const auto network = state_network(rule);
  if (network == nullptr) return {};
  double operations = 0;
  for (const CellNetwork::Gate& gate : network->gates)
    operations += static_cast<double>(operations_of(gate.table).size());
  return {static_cast<double>(network->gates.size()), operations};
}

}  // namespace

double gates_per_word(const Rule& rule) {
  if (is_by_transitions(rule)) return cost_of_transitions(rule).gates_per_word;
  if (!rule.two_state().has_nine_cells()) return 0;
  if (rule.states() > 2) return gates_per_word(rule.two_state());
  if (!rule.is_life_like()) return pair_network_for(rule).gates_per_word();
  static ProcessCache<Rule, double> known(max_costs);
  return *known.find_or_make(
      rule, [&] { return std::make_shared<const double>(network_for(rule).gates_per_word()); });
}

RuleCost rule_cost(const Rule& rule) {
  if (is_by_transitions(rule)) return cost_of_transitions(rule);
  if (!rule.two_state().has_nine_cells()) return {};
  if (rule.states() > 2) return rule_cost(rule.two_state());
  if (!rule.is_life_like()) {
    const PairNetwork network = pair_network_for(rule);
    return {network.gates_per_word(), network.operations_per_word()};
  }
  return {gates_per_word(rule), circuit_for(rule).operations_per_word()};
}

}  // namespace moorea
