// SPDX-License-Identifier: MIT
#include <cstddef>
#include <memory>

#include "logic/network.h"
#include "logic/pair_network.h"
#include "logic/two_input.h"
#include "model/process_cache.h"
#include "moorea/inventory.h"

namespace moorea {
namespace {

constexpr std::size_t max_costs = 256;

// Rules that are not computed by a network of gates made for them
bool has_no_network(const Rule& rule) {
  return (rule.transitions() != nullptr && !rule.is_wires()) || !rule.two_state().has_nine_cells();
}

}  // namespace

double gates_per_word(const Rule& rule) {
  if (has_no_network(rule)) return 0;
  if (rule.states() > 2) return gates_per_word(rule.two_state());
  if (!rule.is_life_like()) return pair_network_for(rule).gates_per_word();
  static ProcessCache<Rule, double> known(max_costs);
  return *known.find_or_make(
      rule, [&] { return std::make_shared<const double>(network_for(rule).gates_per_word()); });
}

RuleCost rule_cost(const Rule& rule) {
  if (has_no_network(rule)) return {};
  if (rule.states() > 2) return rule_cost(rule.two_state());
  if (!rule.is_life_like()) {
    const PairNetwork network = pair_network_for(rule);
    return {network.gates_per_word(), network.operations_per_word()};
  }
  return {gates_per_word(rule), circuit_for(rule).operations_per_word()};
}

}  // namespace moorea
