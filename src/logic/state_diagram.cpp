// SPDX-License-Identifier: MIT
#include "logic/state_diagram.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

namespace moorea {
namespace {

constexpr std::size_t max_tree_nodes = 2000;
constexpr std::size_t max_diagram_work =
    400'000;  // nodes made in search of an order, some tenths of a second

using Order = std::vector<int>;  // of the cells, by their places in the tree's order

// Decisions by the states of cells, one after the other in an order; equal nodes are one, and none is without
// influence. Nodes below the number of states are those states.
class StateDiagram {
 public:
  explicit StateDiagram(int states) : states_(states) {}

  int make(int level, std::vector<int> next) {
    if (std::ranges::all_of(next, [&](int each) { return each == next.front(); })) return next.front();
    const auto [at, is_new] = numbers_.try_emplace({level, next}, states_ + static_cast<int>(nodes_.size()));
    if (is_new) nodes_.push_back({level, std::move(next)});
    return at->second;
  }

  bool is_state(int node) const { return node < states_; }
  int level(int node) const { return at(node).level; }
  const std::vector<int>& next(int node) const { return at(node).next; }
  std::size_t size() const { return nodes_.size(); }

 private:
  struct Node {
    int level;
    std::vector<int> next;
  };
  const Node& at(int node) const { return nodes_[static_cast<std::size_t>(node - states_)]; }

  int states_;
  std::vector<Node> nodes_;
  std::map<std::pair<int, std::vector<int>>, int> numbers_;
};

// Diagrams of a tree in several orders.
class DiagramSearch {
 public:
  DiagramSearch(const Transitions::Tree& tree, int digits, std::size_t max_nodes)
      : tree_(tree),
        digits_(digits),
        max_nodes_(max_nodes),
        cells_(tree.corners ? 9 : 5),
        whole_(tree.states) {
    root_ = from_tree(tree.root, 0);
  }

  // Hill climbing: one cell is moved at a time.
  BinaryDiagram best() {
    Order order(static_cast<std::size_t>(cells_));
    std::iota(order.begin(), order.end(), 0);
    try_order(order);
    std::rotate(order.begin(), order.end() - 1, order.end());  // the cell itself first
    try_order(order);
    for (bool improved = true; improved && work_ < max_diagram_work;) {
      improved = false;
      const Order start = best_order_;
      for (std::size_t from = 0; from < start.size(); ++from) {
        for (std::size_t to = 0; to < start.size() && work_ < max_diagram_work; ++to) {
          Order moved = start;
          moved.erase(moved.begin() + static_cast<std::ptrdiff_t>(from));
          moved.insert(moved.begin() + static_cast<std::ptrdiff_t>(to), start[from]);
          improved = try_order(moved) || improved;
        }
      }
    }
    return best_;
  }

 private:
  int from_tree(std::int32_t node, int level) {
    if (level == cells_) return node;
    const auto [known, is_new] = from_tree_.try_emplace({node, level}, 0);
    if (!is_new) return known->second;
    const auto states = static_cast<std::size_t>(tree_.states);
    std::vector<int> next;
    for (const std::int32_t entry :
         std::span(tree_.nodes).subspan(static_cast<std::size_t>(node) * states, states))
      next.push_back(from_tree(entry, level + 1));
    return from_tree_[{node, level}] = whole_.make(level, std::move(next));
  }

  // What a node says if the cell of this level is in the state.
  int restricted(int node, int level, int state) {
    if (whole_.is_state(node) || whole_.level(node) > level) return node;
    if (whole_.level(node) == level) return whole_.next(node)[static_cast<std::size_t>(state)];
    const auto [known, is_new] = restricted_.try_emplace({node, level, state}, 0);
    if (!is_new) return known->second;
    const std::vector<int> old = whole_.next(node);
    std::vector<int> next;
    for (const int each : old) next.push_back(restricted(each, level, state));
    ++work_;
    return restricted_[{node, level, state}] = whole_.make(whole_.level(node), std::move(next));
  }

  // A node of the whole as one of a diagram in the order, from its `depth`th cell on. Nothing if it has too
  // many nodes.
  std::optional<int> reordered(StateDiagram& diagram, const Order& order, int node, int depth) {
    if (whole_.is_state(node)) return node;
    if (diagram.size() > max_nodes_ || work_ > 2 * max_diagram_work) return {};
    const auto [known, is_new] = reordered_.try_emplace({node, depth}, 0);
    if (!is_new) return known->second;
    std::vector<int> next;
    for (int state = 0; state < tree_.states; ++state) {
      const int part = restricted(node, order[static_cast<std::size_t>(depth)], state);
      const std::optional<int> each = reordered(diagram, order, part, depth + 1);
      if (!each) return {};
      next.push_back(*each);
    }
    ++work_;
    return reordered_[{node, depth}] = diagram.make(depth, std::move(next));
  }

  // Whether the diagram in this order is the smallest so far.
  bool try_order(const Order& order) {
    if (best_order_.empty()) best_order_ = order;
    reordered_.clear();
    StateDiagram diagram(tree_.states);
    const std::optional<int> root = reordered(diagram, order, root_, 0);
    if (!root) return false;
    BinaryDiagram made = binary(diagram, order, *root);
    if (made.outputs.empty() || (!best_.outputs.empty() && made.nodes.size() >= best_.nodes.size()))
      return false;
    best_ = std::move(made);
    best_order_ = order;
    return true;
  }

  BinaryDiagram binary(const StateDiagram& diagram, const Order& order, int root) {
    BinaryDiagram result;
    std::map<std::tuple<int, int, int>, int> numbers;
    std::map<std::pair<int, int>, int> known;
    const auto node = [&](int variable, int if_0, int if_1) {
      if (if_0 == if_1) return if_0;
      const auto [at, is_new] =
          numbers.try_emplace({variable, if_0, if_1}, 2 + static_cast<int>(result.nodes.size()));
      if (is_new) result.nodes.push_back({static_cast<std::uint16_t>(variable), if_0, if_1});
      return at->second;
    };
    // A digit of what a node says: by the digits of the cell's state, from the lowest on; -1 is any
    const auto digit_of = [&](const auto& self, int from, int digit) -> int {
      if (diagram.is_state(from)) return from >> digit & 1;
      const auto [found, is_new] = known.try_emplace({from, digit}, 0);
      if (!is_new) return found->second;
      std::vector<int> by_state(std::size_t{1} << digits_, -1);
      for (int state = 0; state < tree_.states; ++state)
        by_state[static_cast<std::size_t>(state)] =
            self(self, diagram.next(from)[static_cast<std::size_t>(state)], digit);
      const int cell = place(order[static_cast<std::size_t>(diagram.level(from))]);
      for (int k = 0; k < digits_; ++k) {
        std::vector<int> halves;
        for (std::size_t i = 0; i < by_state.size(); i += 2) {
          const int if_0 = by_state[i], if_1 = by_state[i + 1];
          halves.push_back(if_0 < 0 ? if_1 : if_1 < 0 ? if_0 : node(cell * digits_ + k, if_0, if_1));
        }
        by_state = std::move(halves);
      }
      ++work_;
      return known[{from, digit}] = by_state.front();
    };
    for (int digit = 0; digit < digits_; ++digit) {
      result.outputs.push_back(digit_of(digit_of, root, digit));
      if (result.nodes.size() > max_nodes_) return {};
    }
    return result;
  }

  int place(int cell) const {
    const auto at = static_cast<std::size_t>(cell);
    return tree_.corners ? Transitions::order_with_corners[at] : Transitions::order_without[at];
  }

  const Transitions::Tree& tree_;
  int digits_;
  std::size_t max_nodes_;
  int cells_;
  StateDiagram whole_;  // in the tree's order
  int root_;
  std::map<std::pair<std::int32_t, int>, int> from_tree_;
  std::map<std::tuple<int, int, int>, int> restricted_;  // stays from order to order
  std::map<std::pair<int, int>, int> reordered_;
  std::size_t work_ = 0;
  BinaryDiagram best_;
  Order best_order_;
};

}  // namespace

BinaryDiagram binary_diagram(const Transitions::Tree& tree, int digits, std::size_t max_nodes) {
  if (tree.nodes.size() / static_cast<std::size_t>(tree.states) > max_tree_nodes) return {};
  return DiagramSearch(tree, digits, max_nodes).best();
}

}  // namespace moorea
