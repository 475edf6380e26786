// SPDX-License-Identifier: MIT
#include "model/quadtree_rows.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "moorea/error.h"

namespace moorea {
namespace {

using Children = std::array<std::uint32_t, 4>;

class Move {
 public:
  Move(const Quadtree& tree, RowMove direction) : from_(tree.nodes), is_down_(direction == RowMove::down) {
    made_.nodes.reserve(from_.size());
  }

  Quadtree run() {
    const Quadtree::Node root = from_.back();
    const bool grows = root.level <= Quadtree::leaf_level || is_edge_alive(root.level, root.children);
    const int level = grows ? std::max(root.level, Quadtree::leaf_level) + 1 : root.level;
    if (level > Quadtree::max_level)
      throw Error("cells beyond coordinates of 2^119 have no place in a macrocell file");
    const Children children = of_children(level, grows ? with_margin(level - 1) : root.children, {});
    made_.nodes.push_back({level, children, 0});
    return std::move(made_);
  }

 private:
  // Whether cells of a square would leave it.
  bool is_edge_alive(int level, const Children& quarters) {
    const std::size_t first = is_down_ ? 2 : 0;
    return is_edge_alive(level - 1, quarters[first]) || is_edge_alive(level - 1, quarters[first + 1]);
  }
  bool is_edge_alive(int level, std::uint32_t index) {
    if (index == 0) return false;
    const auto [known, is_new] = edges_.try_emplace(index, false);
    if (!is_new) return known->second;
    const Quadtree::Node& node = from_[index];
    const bool alive = level == Quadtree::leaf_level ? (is_down_ ? node.cells >> 56 : node.cells & 0xFF) != 0
                                                     : is_edge_alive(level, node.children);
    return edges_[index] = alive;
  }

  // The quarters of a square around the whole tree whose side is twice as long: new nodes of `from_`.
  Children with_margin(int level) {
    const Quadtree::Node root = from_.back();
    Children quarters{};
    for (std::size_t i = 0; i < 4; ++i) {
      Quadtree::Node quarter{level};
      if (level > Quadtree::leaf_level) {
        quarter.children[3 - i] = root.children[i];
      } else {
        for (std::uint64_t left = root.cells; left != 0; left &= left - 1) {
          // Coordinates in the square of 16 x 16 cells
          const int half = 1 << root.level >> 1, bit = std::countr_zero(left);
          const int x = bit % 8 - half + 8, y = bit / 8 - half + 8;
          if (static_cast<std::size_t>(y / 8 * 2 + x / 8) == i)
            quarter.cells |= std::uint64_t{1} << (y % 8 * 8 + x % 8);
        }
      }
      quarters[i] = static_cast<std::uint32_t>(from_.size());
      from_.push_back(quarter);
    }
    return quarters;
  }

  // The quarters of a square after the move, of the quarters of it and of the square from which a row enters.
  Children of_children(int level, const Children& to, const Children& beyond) {
    if (is_down_)
      return {moved(level - 1, to[0], beyond[2]), moved(level - 1, to[1], beyond[3]),
              moved(level - 1, to[2], to[0]), moved(level - 1, to[3], to[1])};
    return {moved(level - 1, to[0], to[2]), moved(level - 1, to[1], to[3]),
            moved(level - 1, to[2], beyond[0]), moved(level - 1, to[3], beyond[1])};
  }

  // The node of a square after the move: `to` are its cells before it.
  std::uint32_t moved(int level, std::uint32_t to, std::uint32_t beyond) {
    if (to == 0 && beyond == 0) return 0;
    const std::uint64_t pair = std::uint64_t{to} << 32 | beyond;
    if (const auto known = moved_.find(pair); known != moved_.end()) return known->second;
    std::uint32_t made = 0;
    if (level == Quadtree::leaf_level) {
      const std::uint64_t cells = from_[to].cells, entering = from_[beyond].cells;
      made = leaf(is_down_ ? cells << 8 | entering >> 56 : cells >> 8 | entering << 56);
    } else {
      made = node(level, of_children(level, from_[to].children, from_[beyond].children));
    }
    moved_.emplace(pair, made);
    return made;
  }

  std::uint32_t leaf(std::uint64_t cells) {
    if (cells == 0) return 0;
    const auto [entry, is_new] = leaves_.try_emplace(cells, next());
    if (is_new) made_.nodes.push_back({Quadtree::leaf_level, {}, cells});
    return entry->second;
  }

  std::uint32_t node(int level, const Children& children) {
    if (children == Children()) return 0;
    const auto [entry, is_new] = squares_[static_cast<std::size_t>(level)].try_emplace(children, next());
    if (is_new) made_.nodes.push_back({level, children, 0});
    return entry->second;
  }

  std::uint32_t next() const { return static_cast<std::uint32_t>(made_.nodes.size()); }

  std::vector<Quadtree::Node> from_;
  bool is_down_;
  Quadtree made_;
  std::unordered_map<std::uint32_t, bool> edges_;
  std::unordered_map<std::uint64_t, std::uint32_t> moved_;  // by the nodes of both squares
  std::unordered_map<std::uint64_t, std::uint32_t> leaves_;
  std::array<std::unordered_map<Children, std::uint32_t, HashOfChildren>, Quadtree::max_level + 1> squares_;
};

}  // namespace

Quadtree moved_by_a_row(const Quadtree& tree, RowMove direction) { return Move(tree, direction).run(); }

}  // namespace moorea
