// SPDX-License-Identifier: MIT
#include "trees/tree_squares.h"

#include <algorithm>
#include <bit>
#include <span>

#include "trees/universe.h"

namespace moorea {
namespace {

constexpr int square_level = 6;
static_assert(CellSquare::side == 1 << square_level);
constexpr int max_level = 61;  // of universes with squares

// A node of level 6 with the cells of a square.
NodeIndex square_node(NodeStore& store, const CellSquare& square) {
  std::array<NodeIndex, 16> leaves;
  for (std::size_t i = 0; i < 16; ++i) {
    LeafRows rows;
    for (std::size_t y = 0; y < 16; ++y)
      rows[y] = static_cast<std::uint16_t>(square.rows[16 * (i / 4) + y] >> 16 * (i % 4));
    leaves[i] = store.leaf(rows);
  }
  const auto quarter = [&](std::size_t at) {
    return store.join(leaf_level + 1, {leaves[at], leaves[at + 1], leaves[at + 4], leaves[at + 5]});
  };
  return store.join(square_level, {quarter(0), quarter(2), quarter(8), quarter(10)});
}

// The node of `level` around the point (x, y) with the cells of `squares`, which lie inside.
NodeIndex node_around(NodeStore& store, int level, Position centre, std::span<CellSquare> squares) {
  if (squares.empty()) return empty_node;
  if (level == square_level) return square_node(store, squares.front());
  const auto split = [](std::span<CellSquare> all, auto is_first) {
    const auto middle = std::partition(all.begin(), all.end(), is_first);
    const auto count = static_cast<std::size_t>(middle - all.begin());
    return std::pair(all.first(count), all.subspan(count));
  };
  const auto [north, south] = split(squares, [&](const CellSquare& s) { return s.corner.y < centre.y; });
  const auto is_west = [&](const CellSquare& s) { return s.corner.x < centre.x; };
  const auto [nw, ne] = split(north, is_west);
  const auto [sw, se] = split(south, is_west);
  const std::int64_t quarter = (std::int64_t{1} << level) / 4;
  const auto child = [&](std::int64_t x, std::int64_t y, std::span<CellSquare> part) {
    return node_around(store, level - 1, centre + Position{x * quarter, y * quarter}, part);
  };
  NodeKey key;
  key.nw = child(-1, -1, nw);
  key.ne = child(1, -1, ne);
  key.sw = child(-1, 1, sw);
  key.se = child(1, 1, se);
  return store.join(level, key);
}

int level_around(const CellSquares& squares) {
  std::int64_t reach = CellSquare::side;
  for (const CellSquare& square : squares) {
    for (const std::int64_t x : {square.corner.x, square.corner.y})
      reach = std::max(reach, x < 0 ? -x : x + CellSquare::side);
  }
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(reach - 1))) + 1;
}

// Visits the squares of a universe until there are too many.
class SquareReader {
 public:
  SquareReader(const NodeStore& store, std::size_t limit) : store_(store), limit_(limit) {}

  bool read(int level, NodeIndex node, Position corner) {
    if (node == empty_node) return true;
    const NodeKey key = store_.children(level, node);
    if (level == square_level) {
      if (squares_.size() == limit_) return false;
      CellSquare& square = squares_.emplace_back(CellSquare{corner, {}});
      quarter(square, 0, 0, key.nw);
      quarter(square, 32, 0, key.ne);
      quarter(square, 0, 32, key.sw);
      quarter(square, 32, 32, key.se);
      return true;
    }
    const std::int64_t half = (std::int64_t{1} << level) / 2;
    return read(level - 1, key.nw, corner) && read(level - 1, key.ne, corner + Position{half, 0}) &&
           read(level - 1, key.sw, corner + Position{0, half}) &&
           read(level - 1, key.se, corner + Position{half, half});
  }

  CellSquares take() { return std::move(squares_); }

 private:
  void quarter(CellSquare& square, int x, std::size_t y, NodeIndex node) const {
    const NodeKey key = store_.children(leaf_level + 1, node);
    leaf(square, x, y, key.nw);
    leaf(square, x + 16, y, key.ne);
    leaf(square, x, y + 16, key.sw);
    leaf(square, x + 16, y + 16, key.se);
  }
  void leaf(CellSquare& square, int x, std::size_t y, NodeIndex node) const {
    const LeafRows& rows = store_.leaf_rows(node);
    for (std::size_t i = 0; i < 16; ++i) square.rows[y + i] |= std::uint64_t{rows[i]} << x;
  }

  const NodeStore& store_;
  std::size_t limit_;
  CellSquares squares_;
};

}  // namespace

Universe universe_of(NodeStore& store, CellSquares& squares) {
  if (squares.empty()) return {};
  const int level = std::max(level_around(squares), square_level + 1);
  return {level, node_around(store, level, {}, squares)};
}

std::optional<CellSquares> squares_of(NodeStore& store, const Universe& universe, std::size_t max_squares) {
  const Universe small = padded(store, trimmed(store, universe), square_level + 1);
  if (small.level > max_level) return {};
  const std::int64_t half = std::int64_t{1} << (small.level - 1);
  SquareReader reader(store, max_squares);
  if (!reader.read(small.level, small.root, {-half, -half})) return {};
  return reader.take();
}

}  // namespace moorea
