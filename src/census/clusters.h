// SPDX-License-Identifier: MIT
// Partition of a board's live cells into clusters, which have more than two columns or rows between them:
// cells of different ones have no neighbour in common.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "census/soup_board.h"

namespace moorea {

/// Cells of one cluster; `box` contains them.
struct ClusterCells {
  std::span<const Position> cells;
  Box box;
};

class ClusterSearch {
 public:
  /// The clusters, valid until the next call.
  std::span<const ClusterCells> find(const SoupBoard& board);
  /// The same of a list of cells that lie in `area`.
  std::span<const ClusterCells> find(std::span<const Position> cells, const Box& area);

 private:
  void begin(const StripPlane& plane);
  void flood(const StripPlane& plane, const Position& seed);
  std::span<const ClusterCells> finish();

  std::vector<std::uint64_t> left_;  // live cells that are in no cluster yet; all 0 between two calls
  struct Piece {
    Position at;  // of bit 0
    std::uint64_t cells;
  };
  std::vector<Piece> pieces_;
  CellList cells_;
  std::vector<std::size_t> ends_;
  std::vector<ClusterCells> clusters_;
};

}  // namespace moorea
