// SPDX-License-Identifier: MIT
#include "rules/transition_tree.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "moorea/error.h"

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

// What a transition says from a cell on: the states of this cell, and what it says of the later ones.
struct Suffix {
  const StateSet* states = nullptr;
  std::int32_t next = 0;     // among the suffixes of the next cell; after the last one the result
  bool fits_always = false;  // whatever the states are
};

// The node for those transitions that still fit after some cells is made once for each list of what they say
// of the later cells, in which nothing is repeated: of transitions that say the same the first one counts.
// Nodes with equal entries are one.
class TreeBuilder {
 public:
  explicit TreeBuilder(const TransitionList& list)
      : list_(list),
        suffixes_(list.inputs()),
        listed_(list.inputs() + 1),
        known_(list.inputs()),
        made_(list.inputs()) {
    StateSet all;
    for (int state = 0; state < list.states(); ++state) all.set(static_cast<std::size_t>(state));
    List next(list.size());
    for (std::size_t i = 0; i < next.size(); ++i) next[i] = list.result(i);
    for (std::size_t cell = list.inputs(); cell-- > 0;) {
      std::map<std::pair<const StateSet*, std::int32_t>, std::int32_t> numbers;
      for (std::size_t i = 0; i < next.size(); ++i) {
        const StateSet& states = list.states_of(i, cell);
        const auto [number, is_new] =
            numbers.try_emplace({&states, next[i]}, static_cast<std::int32_t>(suffixes_[cell].size()));
        if (is_new) {
          const bool rest = cell + 1 == list.inputs() || suffix(cell + 1, next[i]).fits_always;
          suffixes_[cell].push_back({&states, next[i], rest && (states & all) == all});
        }
        next[i] = number->second;
      }
      listed_[cell].resize(suffixes_[cell].size());
    }
    listed_.back().resize(Rule::max_states);
    all_ = without_repetitions(next);
  }

  std::optional<std::int32_t> build() { return node(0, std::move(all_)); }
  std::vector<std::int32_t> nodes() && { return std::move(nodes_); }

 private:
  const Suffix& suffix(std::size_t cell, std::int32_t number) const {
    return suffixes_[cell][static_cast<std::size_t>(number)];
  }

  List without_repetitions(const List& numbers) {
    List result;
    ++lists_;
    for (const std::int32_t number : numbers) append(result, 0, number);
    return result;
  }

  // Appends a suffix that the present list does not have yet; what follows one that fits always is never
  // tried.
  void append(List& list, std::size_t cell, std::int32_t number) {
    std::uint64_t& last_list = listed_[cell][static_cast<std::size_t>(number)];
    if (last_list == lists_) return;
    last_list = lists_;
    const bool is_decided = cell < list_.inputs() && !list.empty() && suffix(cell, list.back()).fits_always;
    if (!is_decided) list.push_back(number);
  }

  std::optional<std::int32_t> node(std::size_t cell, List fitting) {
    if (const auto found = known_[cell].find(fitting); found != known_[cell].end()) return found->second;
    List entries;
    for (int state = 0; state < list_.states(); ++state) {
      List some;
      ++lists_;
      for (const std::int32_t number : fitting) {
        const Suffix& here = suffix(cell, number);
        if (here.states->test(static_cast<std::size_t>(state))) append(some, cell + 1, here.next);
      }
      if (cell + 1 == list_.inputs()) {
        entries.push_back(some.empty() ? state : some.front());
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
  // By cell
  std::vector<std::vector<Suffix>> suffixes_;
  std::vector<std::vector<std::uint64_t>> listed_;  // the last list that has each suffix
  std::uint64_t lists_ = 0;                         // made so far
  // By cell: nodes by the transitions that fit, and by their entries
  std::vector<std::unordered_map<List, std::int32_t, HashOfList>> known_, made_;
  List all_;
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

void require_complete(const Transitions::Tree& tree, std::string_view name) {
  const auto refuse = [&](const std::string& why) {
    throw Error(fmt::format("rule \"{}\" by transitions: {}", name, why), ErrorKind::usage);
  };
  if (tree.states < 2 || tree.states > 256) refuse(fmt::format("{} states: expected 2 to 256", tree.states));
  const auto states = static_cast<std::size_t>(tree.states), number = tree.nodes.size() / states;
  const auto is_node = [&](std::int32_t node) {
    return node >= 0 && static_cast<std::size_t>(node) < number;
  };
  if (tree.nodes.size() % states != 0 || !is_node(tree.root))
    refuse(fmt::format("{} entries and root {}: expected nodes of {} entries, and one of them",
                       tree.nodes.size(), tree.root, states));
  std::vector<std::int32_t> level = {tree.root};
  const std::size_t cells =
      tree.corners ? Transitions::order_with_corners.size() : Transitions::order_without.size();
  for (std::size_t cell = 1; cell <= cells; ++cell) {
    std::vector<std::int32_t> next;
    std::vector<bool> is_in(number);
    for (const std::int32_t node : level) {
      for (std::size_t state = 0; state < states; ++state) {
        const std::int32_t entry = tree.nodes[static_cast<std::size_t>(node) * states + state];
        const bool is_valid = cell == cells ? entry >= 0 && entry < tree.states : is_node(entry);
        if (!is_valid)
          refuse(fmt::format("node {} has entry {}, which is no {}", node, entry,
                             cell == cells ? "state" : "node"));
        if (cell == cells || is_in[static_cast<std::size_t>(entry)]) continue;
        is_in[static_cast<std::size_t>(entry)] = true;
        next.push_back(entry);
      }
    }
    level = std::move(next);
  }
}

int Transitions::next(const Neighbourhood& cells) const {
  std::int32_t at = tree_.root;
  const auto ask = [&](int place) {
    at = tree_.nodes[static_cast<std::size_t>(at) * static_cast<std::size_t>(tree_.states) +
                     cells[static_cast<std::size_t>(place)]];
  };
  if (tree_.corners)
    for (const int place : order_with_corners) ask(place);
  else
    for (const int place : order_without) ask(place);
  return at;
}

}  // namespace moorea
