// SPDX-License-Identifier: MIT
// Lists of transitions as decision trees.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "moorea/rule.h"
#include "moorea/transitions.h"

namespace moorea {

/// Of the nodes of a tree, together.
constexpr std::size_t max_tree_entries = std::size_t{1} << 25;

using StateSet = std::bitset<Rule::max_states>;

/// Transitions in the order in which they are tried: of the first one that fits, a cell gets the result; if
/// none fits, it keeps its state.
class TransitionList {
 public:
  /// Cells have so many states, 2 or more.
  TransitionList(int states, bool corners);

  /// Number of a set of states for add(), the same for equal sets.
  std::uint32_t set(const StateSet& states);

  /// Appends a transition: sets of states of the cells in the order of the tree, and the result. Returns
  /// false if there are too many.
  bool add(const std::vector<std::uint32_t>& sets, int result);

  /// The tree; empty if it would be too large.
  std::vector<std::int32_t> nodes(std::int32_t& root) const;

  std::size_t size() const { return results_.size(); }
  int states() const { return states_; }
  std::size_t inputs() const { return inputs_; }
  const StateSet& states_of(std::size_t transition, std::size_t cell) const {
    return sets_[cells_[transition * inputs_ + cell]];
  }
  int result(std::size_t transition) const { return results_[transition]; }

 private:
  int states_;
  std::size_t inputs_;
  std::vector<StateSet> sets_;
  std::vector<std::uint32_t> cells_;  // inputs_ of each transition
  std::vector<std::uint8_t> results_;
};

/// Throws Error (usage) unless every path from the root through the tree ends with a state.
void require_complete(const Transitions::Tree& tree, std::string_view name);

}  // namespace moorea
