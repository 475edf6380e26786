// SPDX-License-Identifier: MIT
#include "rules/transition_tree.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

namespace moorea {
namespace {

constexpr std::size_t max_transitions = std::size_t{1} << 21;

struct HashOfList {
  std::size_t operator()(const std::vector<std::int32_t>& list) const {
    std::uint64_t hash = list.size();
    for (const std::int32_t item : list)
      hash = (hash ^ static_cast<std::uint32_t>(item)) * 0x9E3779B97F4A7C15 ^ hash >> 29;
    return hash;
  }
};

using List = std::vector<std::int32_t>;

// The node for those transitions that still fit after some cells is made once for each list of them. Nodes
// with equal entries are one.
class TreeBuilder {
 public:
  explicit TreeBuilder(const TransitionList& list)
      : list_(list), known_(list.inputs()), made_(list.inputs()), rest_(list.size()) {
    StateSet all;
    for (int state = 0; state < list.states(); ++state) all.set(static_cast<std::size_t>(state));
    // From which cell on a transition fits whatever the states are
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      rest_[i] = list.inputs();
      while (rest_[i] > 0 && (list.states_of(i, rest_[i] - 1) & all) == all) --rest_[i];
    }
  }

  std::optional<std::int32_t> build() {
    List all(list_.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int32_t>(i);
    return node(0, std::move(all));
  }
  std::vector<std::int32_t> nodes() && { return std::move(nodes_); }

 private:
  std::optional<std::int32_t> node(std::size_t cell, List fitting) {
    // What follows a transition that fits in any case is never tried
    const auto last = std::ranges::find_if(
        fitting, [&](std::int32_t i) { return rest_[static_cast<std::size_t>(i)] <= cell; });
    if (last != fitting.end()) fitting.erase(last + 1, fitting.end());
    if (const auto found = known_[cell].find(fitting); found != known_[cell].end()) return found->second;
    List entries;
    for (int state = 0; state < list_.states(); ++state) {
      List some;
      for (const std::int32_t i : fitting)
        if (list_.states_of(static_cast<std::size_t>(i), cell).test(static_cast<std::size_t>(state)))
          some.push_back(i);
      if (cell + 1 == list_.inputs()) {
        entries.push_back(some.empty() ? state : list_.result(static_cast<std::size_t>(some.front())));
        continue;
      }
      const std::optional<std::int32_t> next = node(cell + 1, std::move(some));
      if (!next) return {};
      entries.push_back(*next);
    }
    kept_ += fitting.size();
    if (nodes_.size() + entries.size() > max_tree_entries || kept_ > max_tree_entries) return {};
    const auto number = static_cast<std::int32_t>(nodes_.size() / static_cast<std::size_t>(list_.states()));
    const auto [made, is_new] = made_[cell].try_emplace(std::move(entries), number);
    if (is_new) nodes_.insert(nodes_.end(), made->first.begin(), made->first.end());
    known_[cell].emplace(std::move(fitting), made->second);
    return made->second;
  }

  const TransitionList& list_;
  // By cell: nodes by the transitions that fit, and by their entries
  std::vector<std::unordered_map<List, std::int32_t, HashOfList>> known_, made_;
  std::vector<std::size_t> rest_;
  std::vector<std::int32_t> nodes_;
  std::size_t kept_ = 0;  // items of all lists
};

}  // namespace

TransitionList::TransitionList(int states, bool corners)
    : states_(states),
      inputs_(corners ? Transitions::order_with_corners.size() : Transitions::order_without.size()) {}

std::uint32_t TransitionList::set(const StateSet& states) {
  const auto number = static_cast<std::size_t>(std::ranges::find(sets_, states) - sets_.begin());
  if (number == sets_.size()) sets_.push_back(states);
  return static_cast<std::uint32_t>(number);
}

bool TransitionList::add(const std::vector<std::uint32_t>& sets, int result) {
  if (results_.size() >= max_transitions) return false;
  cells_.insert(cells_.end(), sets.begin(), sets.end());
  results_.push_back(static_cast<std::uint8_t>(result));
  return true;
}

std::vector<std::int32_t> TransitionList::nodes(std::int32_t& root) const {
  TreeBuilder builder(*this);
  const std::optional<std::int32_t> made = builder.build();
  if (!made) return {};
  root = *made;
  return std::move(builder).nodes();
}

}  // namespace moorea
