// SPDX-License-Identifier: MIT
// Quadtrees anywhere in the plane: a tree near the origin has coordinates of 128 bits, and parts of deeper
// trees are far from it.
#pragma once

#include "model/quadtree.h"
#include "moorea/big_box.h"
#include "moorea/big_integer.h"

namespace moorea {

/// The centre of the tree has the coordinates (x, y), which are multiples of half its side.
struct PlacedQuadtree {
  Quadtree tree;
  BigInteger x, y;
};

/// A window's place in squares of 2^level cells on a side, of which it meets at most two by two.
struct WindowSquares {
  int level = 0;
  BigInteger column, row;  ///< of the upper left square
};

/// With squares of `min_level` or larger. Throws Error (usage) for a window of more than 2^60 cells on a
/// side.
WindowSquares squares_of(const BigBox& window, int min_level);

/// The live cells inside a window. Throws as squares_of().
PlacedQuadtree cropped(const PlacedQuadtree& cells, const BigBox& window);
/// Those of a tree whose children are the squares of the window.
PlacedQuadtree cropped_squares(const Quadtree& tree, const WindowSquares& squares, const BigBox& window);

/// The same cells in a tree whose centre is the origin. Throws Error (run) if they are beyond its
/// coordinates.
Quadtree at_origin(const PlacedQuadtree& cells);

BigInteger population(const Quadtree& tree);
std::optional<BigBox> bounding_box(const PlacedQuadtree& cells);

}  // namespace moorea
