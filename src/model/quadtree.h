// SPDX-License-Identifier: MIT
// Cells as a quadtree whose equal squares are shared, as macrocell files have them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "moorea/big_box.h"
#include "moorea/grid.h"

namespace moorea {

/// A square of 2^level cells on a side. Its centre has the coordinates (0, 0): columns and rows -2^(level -
/// 1) to 2^(level - 1) - 1.
struct Quadtree {
  /// Squares of up to 8 x 8 cells are stored as bits.
  static constexpr int leaf_level = 3;
  /// Boxes of deeper trees do not fit in 128 bits.
  static constexpr int max_level = 120;

  struct Node {
    int level = leaf_level;
    /// Indices of the squares of level - 1: upper left, upper right, lower left, lower right. Node 0 is the
    /// empty square of every level.
    std::array<std::uint32_t, 4> children = {};
    /// Of a node of leaf_level or less: bit 8 y + x is the cell in column x and row y.
    std::uint64_t cells = 0;
  };

  std::vector<Node> nodes = {Node()};  ///< children come before their parents; the last node is the root

  int level() const { return nodes.back().level; }

  /// Smallest box that contains all live cells, if there are any.
  std::optional<BigBox> any_bounding_box() const;
  /// Smallest box that contains all live cells, if there are any. Throws Error (run) if it reaches beyond
  /// max_coordinate.
  std::optional<Box> bounding_box() const;

  /// The cells inside `box`, which lies within max_coordinate. Costs the live cells in it, not its area.
  Grid window(const Box& box) const;

  /// The smallest tree with these cells, the upper left one at `at`.
  static Quadtree of(const ConstGridView& cells, const Position& at);
};

/// For tables of squares.
struct HashOfChildren {
  std::size_t operator()(const std::array<std::uint32_t, 4>& children) const {
    std::uint64_t hash = 0;
    for (const std::uint32_t child : children) hash = (hash ^ child) * 0x9E3779B97F4A7C15 + (hash >> 29);
    return static_cast<std::size_t>(hash ^ hash >> 32);
  }
};

}  // namespace moorea
