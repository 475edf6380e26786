// SPDX-License-Identifier: MIT
#include "trees/quadtrees.h"

#include <unordered_map>

#include "trees/universe.h"

namespace moorea {
namespace {

// Rows of 16 cells from squares of 8 x 8.
LeafRows joined_rows(const std::array<std::uint64_t, 4>& squares) {
  LeafRows rows = {};
  for (std::size_t y = 0; y < 16; ++y) {
    const std::size_t upper = y < 8 ? 0 : 2;
    const auto row_of = [&](std::uint64_t cells) { return cells >> 8 * (y % 8) & 0xFF; };
    rows[y] = static_cast<std::uint16_t>(row_of(squares[upper]) | row_of(squares[upper + 1]) << 8);
  }
  return rows;
}

std::uint64_t quarter_of(const LeafRows& rows, std::size_t quarter) {
  std::uint64_t cells = 0;
  for (std::size_t y = 0; y < 8; ++y) {
    const std::uint64_t row = rows[y + (quarter / 2 == 1 ? 8 : 0)] >> (quarter % 2 == 1 ? 8 : 0) & 0xFF;
    cells |= row << 8 * y;
  }
  return cells;
}

// A root of 8 x 8 cells or less, whose centre is that of a leaf.
LeafRows centred_rows(const Quadtree::Node& root) {
  LeafRows rows = {};
  const int corner = 8 - (1 << root.level) / 2;
  for (int y = 0; y < 8; ++y) {
    const auto row = static_cast<unsigned>(root.cells >> 8 * y & 0xFF);
    if (row != 0) rows[static_cast<std::size_t>(corner + y)] = static_cast<std::uint16_t>(row << corner);
  }
  return rows;
}

// Makes the nodes of a quadtree, each once.
class Collecting {
 public:
  explicit Collecting(const NodeStore& store) : store_(store) {}

  std::uint32_t node(int level, NodeIndex index) {
    if (index == empty_node) return 0;
    auto& known = known_[static_cast<std::size_t>(level - leaf_level)];
    if (const auto found = known.find(index); found != known.end()) return found->second;
    Quadtree::Node made{level, {}, 0};
    for (std::size_t i = 0; i < 4; ++i)
      made.children[i] = level == leaf_level ? square(quarter_of(store_.leaf_rows(index), i))
                                             : node(level - 1, store_.child(level, index, Quadrant(i)));
    return known[index] = add(made);
  }

  Quadtree take(int level) {
    if (tree_.nodes.size() == 1) tree_.nodes.push_back({std::max(level, leaf_level)});
    return std::move(tree_);
  }
  // The tree with these children of `level`.
  Quadtree join(int level, const std::array<NodeIndex, 4>& children) {
    make_room(level);
    Quadtree::Node root{level + 1, {}, 0};
    for (std::size_t i = 0; i < 4; ++i) root.children[i] = node(level, children[i]);
    add(root);
    return std::move(tree_);
  }

  void make_room(int level) { known_.resize(static_cast<std::size_t>(level - leaf_level + 1)); }

 private:
  std::uint32_t square(std::uint64_t cells) {
    if (cells == 0) return 0;
    const auto [entry, added] = squares_.try_emplace(cells, static_cast<std::uint32_t>(tree_.nodes.size()));
    if (added) tree_.nodes.push_back({Quadtree::leaf_level, {}, cells});
    return entry->second;
  }
  std::uint32_t add(const Quadtree::Node& node) {
    tree_.nodes.push_back(node);
    return static_cast<std::uint32_t>(tree_.nodes.size() - 1);
  }

  const NodeStore& store_;
  Quadtree tree_;
  std::unordered_map<std::uint64_t, std::uint32_t> squares_;
  std::vector<std::unordered_map<NodeIndex, std::uint32_t>> known_;  // by level
};

// The node of `level` in a column and row of such squares, of which those of the universe are around 0.
NodeIndex node_at(const NodeStore& store, const Universe& universe, int level, const BigInteger& column,
                  const BigInteger& row) {
  const auto depth = static_cast<std::size_t>(universe.level - level);
  const BigInteger half = BigInteger::power_of_two(depth - 1);
  const BigInteger x = column + half, y = row + half;
  if (x.is_negative() || y.is_negative() || x.bit_length() > depth || y.bit_length() > depth)
    return empty_node;
  NodeIndex node = universe.root;
  for (std::size_t bit = depth; bit-- > 0;)
    node = store.child(level + static_cast<int>(bit) + 1, node, Quadrant(2 * y.bit(bit) + x.bit(bit)));
  return node;
}

}  // namespace

Universe universe_of(NodeStore& store, const Quadtree& tree) {
  if (tree.level() <= Quadtree::leaf_level) return {leaf_level, store.leaf(centred_rows(tree.nodes.back()))};
  std::vector<NodeIndex> made;
  made.reserve(tree.nodes.size());
  for (const Quadtree::Node& node : tree.nodes) {
    const auto& c = node.children;
    if (node.level <= Quadtree::leaf_level)
      made.push_back(empty_node);  // part of a leaf
    else if (node.level == leaf_level)
      made.push_back(store.leaf(joined_rows(
          {tree.nodes[c[0]].cells, tree.nodes[c[1]].cells, tree.nodes[c[2]].cells, tree.nodes[c[3]].cells})));
    else
      made.push_back(store.join(node.level, {made[c[0]], made[c[1]], made[c[2]], made[c[3]]}));
  }
  return {tree.level(), made.back()};
}

Quadtree quadtree_of(const NodeStore& store, const Universe& universe) {
  Collecting collecting(store);
  collecting.make_room(universe.level);
  collecting.node(universe.level, universe.root);
  return collecting.take(universe.level);
}

PlacedQuadtree part_of(NodeStore& store, const Universe& universe, const BigBox& window) {
  const WindowSquares squares = squares_of(window, leaf_level);
  const Universe large = padded(store, universe, squares.level + 1);
  std::array<NodeIndex, 4> nodes;
  for (int i = 0; i < 4; ++i)
    nodes[static_cast<std::size_t>(i)] =
        node_at(store, large, squares.level, squares.column + i % 2, squares.row + i / 2);
  return cropped_squares(Collecting(store).join(squares.level, nodes), squares, window);
}

}  // namespace moorea
