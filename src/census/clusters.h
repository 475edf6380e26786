// SPDX-License-Identifier: MIT
// Partition of a board's live cells into clusters, which have at least two empty columns or rows between
// them: cells of different ones have no neighbour in common.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "census/soup_board.h"

namespace moorea {

/// Arrangement of a plane's 64-bit words: strips of 64 columns, one after the other, each from top to bottom.
struct StripPlane {
  std::int64_t rows = 0, columns = 0;
  Position corner;  ///< its first cell

  static constexpr std::int64_t strip_columns = 64;
  /// A plane that contains a box.
  static StripPlane around(const Box& box) {
    return {box.height, (box.width + strip_columns - 1) / strip_columns * strip_columns, box.position()};
  }
  /// Words, one more strip included: of what lies on the right of the last column.
  std::size_t words() const { return static_cast<std::size_t>((columns / strip_columns + 1) * rows); }
  std::size_t word_of(const Position& at) const {
    return static_cast<std::size_t>((at.x - corner.x) / strip_columns * rows + at.y - corner.y);
  }
  unsigned bit_of_column(std::int64_t x) const {
    return static_cast<unsigned>((x - corner.x) % strip_columns);
  }
  std::uint64_t bit_of(const Position& at) const { return std::uint64_t{1} << bit_of_column(at.x); }
};

/// Cells of one cluster; `box` contains them.
struct ClusterCells {
  std::span<const Position> cells;
  Box box;
};

class ClusterSearch {
 public:
  /// The clusters, valid until the next call.
  std::span<const ClusterCells> find(const SoupBoard& board);
  /// Those that have cells outside the inner part of the board. One with more than max_outside columns or
  /// rows may lack cells of the inner part, or be several, each of which still has more. The list may end
  /// with one that has more than max_side.
  std::span<const ClusterCells> find_outside(const SoupBoard& board, std::int64_t max_side = INT64_MAX);
  static constexpr std::int64_t max_outside = SoupBoard::near - 2;
  /// The same as find() of a list of cells that lie in `area`.
  std::span<const ClusterCells> find(std::span<const Position> cells, const Box& area);

 private:
  // 64 columns of a row with live cells.
  struct Row {
    Position at;
    std::size_t word;
  };
  // Adjacent columns of a row with those of their cells that have been found at once.
  struct Piece {
    std::int64_t x, y;  // of bit 0, in the plane
    std::uint64_t cells;
  };

  void begin(const StripPlane& plane);
  StripPlane begin(const SoupBoard& board, const SoupTiles& tiles);
  std::span<const Row> rows() const { return std::span(rows_).first(row_count_); }
  bool take_small(const Row& row);
  bool flood(const StripPlane& plane, const Position& seed, std::int64_t max_side = INT64_MAX);
  void grow(std::size_t count);
  std::span<const ClusterCells> finish();

  SoupTiles tiles_;
  std::vector<std::uint64_t> left_;  // live cells that are in no cluster yet; all 0 between two calls
  // Memory for more than there are, and the numbers of those that there are
  std::vector<Row> rows_;
  std::vector<Position> cells_;
  std::vector<Piece> pieces_;  // of the cluster that is found now
  std::size_t row_count_ = 0, cell_count_ = 0;
  struct Found {
    std::size_t end;  // of its cells
    Box box;
  };
  std::vector<Found> found_;
  std::vector<ClusterCells> clusters_;
};

}  // namespace moorea
