// SPDX-License-Identifier: MIT
// Quadtrees from squares and runs of cells, and runs and parts of quadtrees: all without a rectangle of
// cells.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/quadtree.h"

namespace moorea {

/// Coordinates in quadtrees of any level.
__extension__ typedef __int128 WideInteger;

/// A square of a tree's cells by its place among those of one level: columns from `column` * 2^level on.
struct PlacedSquare {
  WideInteger column = 0, row = 0;
  std::uint32_t node = 0;
};

/// Nodes, each once. Starts with those of a tree.
class QuadtreeNodes {
 public:
  explicit QuadtreeNodes(Quadtree nodes = {});

  const Quadtree::Node& operator[](std::uint32_t index) const { return tree_.nodes[index]; }
  std::uint32_t leaf(std::uint64_t cells);
  std::uint32_t join(int level, const std::array<std::uint32_t, 4>& children);

  /// The smallest tree in which the squares, all of `level`, are in their places. Throws Error (run) if it
  /// has more than Quadtree::max_level levels.
  Quadtree tree(int level, std::vector<PlacedSquare> squares);

 private:
  struct HashOfChildren {
    std::size_t operator()(const std::array<std::uint32_t, 4>& children) const;
  };

  Quadtree tree_;
  std::unordered_map<std::uint64_t, std::uint32_t> leaves_;
  std::unordered_map<std::array<std::uint32_t, 4>, std::uint32_t, HashOfChildren> squares_;
};

/// Makes a tree from runs of live cells, row by row, while they come: of the rows that have come, only nodes
/// remain, and squares of those rows that are not yet part of a larger square.
class QuadtreeOfRuns {
 public:
  /// Makes `length` cells alive from (x, y) to the right. `y` is not smaller than that of earlier runs.
  /// Throws Error (memory).
  void add(std::int64_t x, std::int64_t y, std::int64_t length);
  Quadtree tree();

 private:
  // Squares of one level in one row of such squares.
  struct Band {
    std::int64_t row = 0;
    std::vector<std::pair<std::int64_t, std::uint32_t>> squares;  // columns and nodes, from left to right
  };

  void end_leaves();
  void add_band(std::size_t level, Band band);
  Band joined(std::size_t level, const Band& upper, const Band& lower);
  Band raised(std::size_t level, const Band& band);

  QuadtreeNodes nodes_;
  std::int64_t row_ = 0;                                    // of the leaves
  std::unordered_map<std::int64_t, std::uint64_t> leaves_;  // by column
  std::vector<std::optional<Band>> bands_;                  // by level, not yet part of the next one
};

/// Calls visit(x, y, length) for each run of live cells, row by row from left to right. The tree has at most
/// 62 levels. Memory follows the squares that a row meets.
void for_each_run(const Quadtree& tree,
                  const std::function<void(std::int64_t, std::int64_t, std::int64_t)>& visit);

/// The same cells in a tree of level 4 at least, without nodes that are not part of it.
Quadtree with_squares(const Quadtree& tree);

/// The squares of `level`, 3 or more, that have live cells in the columns `column` and `column` + 1 and in
/// the rows `row` and `row` + 1 of such squares.
std::vector<PlacedSquare> squares_at(QuadtreeNodes& nodes, const Quadtree& tree, int level,
                                     WideInteger column, WideInteger row);

/// The live cells inside `box`. The tree has at most 62 levels.
Quadtree cropped(const Quadtree& tree, const Box& box);

/// Calls visit(corner, cells) for each square of 2^level x 2^level cells with live ones; level is 3 to 30,
/// and the cells are within 62 levels.
void for_each_square(const Quadtree& tree, int level,
                     const std::function<void(const Position&, const Grid&)>& visit);

}  // namespace moorea
