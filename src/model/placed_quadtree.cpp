// SPDX-License-Identifier: MIT
#include "model/placed_quadtree.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "model/quadtree_squares.h"
#include "moorea/error.h"

namespace moorea {
namespace {

constexpr std::size_t max_window_bits = 60;
constexpr std::size_t max_wide_bits = 125;

// Divided by 2^bits, rounded down.
BigInteger floor_shift(const BigInteger& number, std::size_t bits) {
  if (!number.is_negative()) return number >> bits;
  return -((-number + BigInteger::power_of_two(bits) - 1) >> bits);
}

std::optional<WideInteger> as_wide(const BigInteger& number) {
  if (number.bit_length() > max_wide_bits) return std::nullopt;
  WideInteger value = static_cast<WideInteger>(*(number >> 64).as_signed()) * (WideInteger{1} << 64);
  const auto low = static_cast<WideInteger>(*number.low_bits(64).as_unsigned());
  value += number.is_negative() ? -low : low;
  return value;
}

// The places of the root's children when its centre is at `centre`, in squares of their size.
std::vector<PlacedSquare> children_of(const Quadtree& tree, WideInteger x, WideInteger y) {
  std::vector<PlacedSquare> squares;
  for (int i = 0; i < 4; ++i) {
    const std::uint32_t child = tree.nodes.back().children[static_cast<std::size_t>(i)];
    if (child != 0) squares.push_back({x + i % 2 - 1, y + i / 2 - 1, child});
  }
  return squares;
}

}  // namespace

WindowSquares squares_of(const BigBox& window, int min_level) {
  const BigInteger side = std::max(window.width(), window.height());
  if ((side - 1).bit_length() > max_window_bits)
    throw Error("a window of " + window.width().str() + " x " + window.height().str() +
                    " cells: expected at most 2^60 on a side",
                ErrorKind::usage);
  WindowSquares squares;
  squares.level = std::max(min_level, static_cast<int>((side - 1).bit_length()));
  squares.column = floor_shift(window.left, static_cast<std::size_t>(squares.level));
  squares.row = floor_shift(window.top, static_cast<std::size_t>(squares.level));
  return squares;
}

PlacedQuadtree cropped(const PlacedQuadtree& cells, const BigBox& window) {
  const BigBox moved = {window.left - cells.x, window.top - cells.y, window.right - cells.x,
                        window.bottom - cells.y};
  const WindowSquares squares = squares_of(moved, Quadtree::leaf_level);
  const std::optional<WideInteger> column = as_wide(squares.column), row = as_wide(squares.row);
  Quadtree tree;
  tree.nodes.push_back({squares.level + 1, {}, 0});
  if (column && row) {
    const Quadtree all = with_squares(cells.tree);
    QuadtreeNodes nodes(all);
    std::vector<PlacedSquare> found = squares_at(nodes, all, squares.level, *column, *row);
    for (PlacedSquare& square : found) {
      square.column -= *column + 1;
      square.row -= *row + 1;
    }
    if (!found.empty()) tree = nodes.tree(squares.level, std::move(found));
  }
  PlacedQuadtree part = cropped_squares(tree, squares, moved);
  part.x += cells.x;
  part.y += cells.y;
  return part;
}

PlacedQuadtree cropped_squares(const Quadtree& tree, const WindowSquares& squares, const BigBox& window) {
  const auto level = static_cast<std::size_t>(squares.level);
  PlacedQuadtree part;
  part.x = (squares.column + 1) << level;
  part.y = (squares.row + 1) << level;
  const Box box = {*(window.left - part.x).as_signed(), *(window.top - part.y).as_signed(),
                   *window.width().as_signed(), *window.height().as_signed()};
  part.tree = cropped(tree, box);
  return part;
}

Quadtree at_origin(const PlacedQuadtree& cells) {
  if (cells.x.is_zero() && cells.y.is_zero()) return cells.tree;
  const Quadtree tree = with_squares(cells.tree);
  const int level = tree.level() - 1;
  const std::optional<WideInteger> x = as_wide(floor_shift(cells.x, static_cast<std::size_t>(level)));
  const std::optional<WideInteger> y = as_wide(floor_shift(cells.y, static_cast<std::size_t>(level)));
  if (!x || !y) throw Error("the cells reach beyond coordinates of 2^119, for which there are no trees");
  return QuadtreeNodes(tree).tree(level, children_of(tree, *x, *y));
}

BigInteger population(const Quadtree& tree) {
  std::vector<BigInteger> populations;
  populations.reserve(tree.nodes.size());
  for (const Quadtree::Node& node : tree.nodes) {
    BigInteger sum = std::popcount(node.cells);
    if (node.level > Quadtree::leaf_level)
      for (const std::uint32_t child : node.children) sum += populations[child];
    populations.push_back(std::move(sum));
  }
  return populations.back();
}

std::optional<BigBox> bounding_box(const PlacedQuadtree& cells) {
  std::optional<BigBox> box = cells.tree.any_bounding_box();
  if (!box) return box;
  return BigBox{box->left + cells.x, box->top + cells.y, box->right + cells.x, box->bottom + cells.y};
}

}  // namespace moorea
