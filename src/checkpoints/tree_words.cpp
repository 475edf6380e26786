// SPDX-License-Identifier: MIT
#include "checkpoints/tree_words.h"

#include <array>
#include <cassert>
#include <vector>

#include "checkpoints/header.h"
#include "model/memory.h"
#include "model/placed_quadtree.h"

namespace moorea {
namespace {

constexpr int max_saved_level = 62;  // of a tree with cells within max_coordinate
constexpr std::size_t words_of_square = 2;

// A node from two words, or from its cells; squares of the children must be there.
Quadtree::Node node_of(std::uint64_t upper, std::uint64_t lower, const Quadtree& tree,
                       const std::string& source) {
  Quadtree::Node node;
  node.children = {static_cast<std::uint32_t>(upper), static_cast<std::uint32_t>(upper >> 32),
                   static_cast<std::uint32_t>(lower), static_cast<std::uint32_t>(lower >> 32)};
  int level = 0;
  for (const std::uint32_t child : node.children) {
    if (child >= tree.nodes.size()) fail_damaged(source, "in its tree: a square is missing");
    if (child == 0) continue;
    const int found = tree.nodes[child].level;
    if (level != 0 && level != found) fail_damaged(source, "in its tree: squares have different sizes");
    level = found;
  }
  if (level == 0 || level >= max_saved_level)
    fail_damaged(source, "in its tree: a square is empty or too large");
  node.level = level + 1;
  return node;
}

}  // namespace

Grid words_of(const CellTree& cells) {
  const Quadtree tree = at_origin(cells.cells());
  std::vector<std::uint32_t> numbers(tree.nodes.size());
  std::uint32_t leaves = 0, squares = 0;
  for (std::size_t i = 1; i < tree.nodes.size(); ++i) {
    assert(tree.nodes[i].level >= Quadtree::leaf_level);
    if (tree.nodes[i].level == Quadtree::leaf_level) numbers[i] = ++leaves;
  }
  for (std::size_t i = 1; i < tree.nodes.size(); ++i)
    if (tree.nodes[i].level > Quadtree::leaf_level) numbers[i] = leaves + ++squares;
  Grid words(64, static_cast<std::int64_t>(1 + leaves + words_of_square * squares));
  words.row(0)[0] = leaves;
  for (std::size_t i = 1; i < tree.nodes.size(); ++i) {
    const Quadtree::Node& node = tree.nodes[i];
    if (node.level == Quadtree::leaf_level) {
      words.row(numbers[i])[0] = node.cells;
      continue;
    }
    const auto at = static_cast<std::int64_t>(1 + leaves + words_of_square * (numbers[i] - leaves - 1));
    const auto pair = [&](std::size_t first) {
      return std::uint64_t{numbers[node.children[first]]} | std::uint64_t{numbers[node.children[first + 1]]}
                                                                << 32;
    };
    words.row(at)[0] = pair(0);
    words.row(at + 1)[0] = pair(2);
  }
  return words;
}

Quadtree tree_of_words(std::span<const std::uint64_t> words, const Box& box, const std::string& source) {
  const std::uint64_t leaves = words.empty() ? 0 : words[0];
  if (words.empty() || leaves > words.size() - 1 || (words.size() - 1 - leaves) % words_of_square != 0)
    fail_damaged(source, "in its tree: squares are missing");
  const std::size_t squares = (words.size() - 1 - leaves) / words_of_square;
  if (leaves + squares >= UINT32_MAX) fail_damaged(source, "in its tree: it has too many squares");
  require_memory(static_cast<double>((leaves + squares + 1) * sizeof(Quadtree::Node)), source);
  Quadtree tree;
  tree.nodes.reserve(1 + leaves + squares);
  for (std::size_t i = 1; i <= leaves; ++i) tree.nodes.push_back({Quadtree::leaf_level, {}, words[i]});
  for (std::size_t i = 1 + leaves; i < words.size(); i += words_of_square)
    tree.nodes.push_back(node_of(words[i], words[i + 1], tree, source));
  const std::optional<BigBox> live = tree.any_bounding_box();
  if (!live || live->as_box() != box) fail_damaged(source, "in its tree: the cells are at other places");
  return tree;
}

}  // namespace moorea
