// SPDX-License-Identifier: MIT
#include "model/quadtree.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "moorea/error.h"

namespace moorea {
namespace {

// Coordinates in squares of which the live cells are a small part
__extension__ using Wide = __int128;

struct WideBox {
  Wide left = 0, top = 0, right = 0, bottom = 0;  // empty if right <= left

  bool empty() const { return right <= left; }
  void add(const WideBox& other, Wide x, Wide y) {
    if (other.empty()) return;
    const WideBox moved = {other.left + x, other.top + y, other.right + x, other.bottom + y};
    if (empty()) {
      *this = moved;
      return;
    }
    left = std::min(left, moved.left);
    top = std::min(top, moved.top);
    right = std::max(right, moved.right);
    bottom = std::max(bottom, moved.bottom);
  }
};

Wide side(int level) { return Wide{1} << level; }

BigInteger big(Wide value) {
  const bool negative = value < 0;
  const Wide size = negative ? -value : value;
  const BigInteger number = (BigInteger(static_cast<std::uint64_t>(size >> 64)) << 64) +
                            BigInteger(static_cast<std::uint64_t>(size));
  return negative ? -number : number;
}

WideBox box_of_bits(std::uint64_t cells) {
  WideBox box;
  for (std::uint64_t left = cells; left != 0; left &= left - 1) {
    const int bit = std::countr_zero(left);
    box.add({0, 0, 1, 1}, bit % 8, bit / 8);
  }
  return box;
}

// Boxes of all nodes, relative to their upper left corners.
std::vector<WideBox> boxes(const Quadtree& tree) {
  std::vector<WideBox> result;
  result.reserve(tree.nodes.size());
  for (const Quadtree::Node& node : tree.nodes) {
    WideBox box;
    if (node.level <= Quadtree::leaf_level) {
      box = box_of_bits(node.cells);
    } else {
      const Wide half = side(node.level - 1);
      for (std::size_t i = 0; i < 4; ++i)
        box.add(result[node.children[i]], i % 2 == 1 ? half : 0, i / 2 == 1 ? half : 0);
    }
    result.push_back(box);
  }
  return result;
}

// Sets the live cells of a tree that lie inside a window.
class Drawing {
 public:
  Drawing(const Quadtree& tree, Grid& grid, const Box& window)
      : tree_(tree), boxes_(boxes(tree)), grid_(grid), window_(window) {}

  void draw(std::uint32_t index, Wide x, Wide y) {
    const WideBox& box = boxes_[index];
    if (box.empty() || x + box.left >= window_.right() || x + box.right <= window_.x ||
        y + box.top >= window_.bottom() || y + box.bottom <= window_.y)
      return;
    const Quadtree::Node& node = tree_.nodes[index];
    if (node.level <= Quadtree::leaf_level) {
      for (std::uint64_t left = node.cells; left != 0; left &= left - 1) {
        const int bit = std::countr_zero(left);
        const Position at = {static_cast<std::int64_t>(x) + bit % 8, static_cast<std::int64_t>(y) + bit / 8};
        if (window_.contains(at)) grid_.set(at.x - window_.x, at.y - window_.y);
      }
      return;
    }
    const Wide half = side(node.level - 1);
    for (std::size_t i = 0; i < 4; ++i)
      draw(node.children[i], i % 2 == 1 ? x + half : x, i / 2 == 1 ? y + half : y);
  }

 private:
  const Quadtree& tree_;
  std::vector<WideBox> boxes_;
  Grid& grid_;
  Box window_;
};

// Makes the tree of a grid's cells, each square once.
class Building {
 public:
  Building(Quadtree& tree, const ConstGridView& cells, const Position& at)
      : tree_(tree), cells_(cells), box_{at.x, at.y, cells.width, cells.height} {}

  void run() {
    const Box live = bounding_box_of(cells_).value_or(Box{}).translated(box_.position());
    int level = Quadtree::leaf_level + 1;
    const auto reaches = [&](std::int64_t edge) {
      return edge >= -side(level) / 2 && edge <= side(level) / 2;
    };
    while (!live.empty() &&
           !(reaches(live.x) && reaches(live.y) && reaches(live.right()) && reaches(live.bottom())))
      ++level;
    const std::int64_t corner = -(std::int64_t{1} << (level - 1));
    if (square(level, {corner, corner}) == 0) tree_.nodes.push_back({level});
  }

 private:
  // The node of the square whose upper left corner is at `at`; 0 if it is empty.
  std::uint32_t square(int level, const Position& at) {
    const std::int64_t size = std::int64_t{1} << level;
    if (intersect(box_, {at.x, at.y, size, size}).empty()) return 0;
    if (level == Quadtree::leaf_level) return leaf(at);
    std::array<std::uint32_t, 4> children;
    for (std::size_t i = 0; i < 4; ++i)
      children[i] = square(level - 1, at + Position{i % 2 == 1 ? size / 2 : 0, i / 2 == 1 ? size / 2 : 0});
    if (children == std::array<std::uint32_t, 4>()) return 0;
    const auto index = static_cast<std::uint32_t>(tree_.nodes.size());
    const auto [entry, added] = squares_[static_cast<std::size_t>(level)].try_emplace(children, index);
    if (added) tree_.nodes.push_back({level, children, 0});
    return entry->second;
  }

  std::uint32_t leaf(const Position& at) {
    std::uint64_t bits = 0;
    for (std::int64_t y = 0; y < 8; ++y) bits |= row(at.x - box_.x, at.y - box_.y + y) << 8 * y;
    if (bits == 0) return 0;
    const auto [entry, added] = leaves_.try_emplace(bits, static_cast<std::uint32_t>(tree_.nodes.size()));
    if (added) tree_.nodes.push_back({Quadtree::leaf_level, {}, bits});
    return entry->second;
  }

  // Eight cells from column x of row y, which may lie outside the grid.
  std::uint64_t row(std::int64_t x, std::int64_t y) const {
    if (y < 0 || y >= cells_.height) return 0;
    const auto word = [&](std::int64_t index) {
      const std::int64_t columns = cells_.width - 64 * index;  // of this word and all after it
      if (index < 0 || columns <= 0) return std::uint64_t{0};
      const std::uint64_t all = cells_.words[y * cells_.words_per_row + index];
      return columns < 64 ? all & ((std::uint64_t{1} << columns) - 1) : all;
    };
    const std::int64_t index = x >> 6;
    const int shift = static_cast<int>(x & 63);
    const std::uint64_t high = shift > 56 ? word(index + 1) << (64 - shift) : 0;
    return (word(index) >> shift | high) & 0xFF;
  }

  Quadtree& tree_;
  ConstGridView cells_;
  Box box_;
  std::unordered_map<std::uint64_t, std::uint32_t> leaves_;
  std::array<std::unordered_map<std::array<std::uint32_t, 4>, std::uint32_t, HashOfChildren>, 64> squares_;
};

}  // namespace

std::optional<BigBox> Quadtree::any_bounding_box() const {
  const WideBox box = boxes(*this).back();
  if (box.empty()) return std::nullopt;
  const Wide corner = -side(level()) / 2;
  return BigBox{big(box.left + corner), big(box.top + corner), big(box.right + corner - 1),
                big(box.bottom + corner - 1)};
}

std::optional<Box> Quadtree::bounding_box() const {
  const std::optional<BigBox> box = any_bounding_box();
  if (!box) return std::nullopt;
  const std::optional<Box> near = box->as_box();
  if (!near)
    throw Error(
        "the live cells reach beyond the coordinate 2^60: only moorea run can have them, on an unbounded "
        "plane "
        "and without options that look at each generation");
  return near;
}

Grid Quadtree::window(const Box& box) const {
  Grid grid(box.width, box.height);
  const Wide corner = -side(level()) / 2;
  Drawing(*this, grid, box).draw(static_cast<std::uint32_t>(nodes.size() - 1), corner, corner);
  return grid;
}

Quadtree Quadtree::of(const ConstGridView& cells, const Position& at) {
  Quadtree tree;
  Building(tree, cells, at).run();
  return tree;
}

}  // namespace moorea
