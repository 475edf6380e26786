// SPDX-License-Identifier: MIT
// Population, hash and bounding box of packed rows, each row visited once.
#pragma once

#include <cstdint>
#include <vector>

#include "boards/board.h"
#include "model/hash.h"

namespace moorea {

/// Accumulates rows, in any order; one per thread, merged at the end.
class RowSummary {
 public:
  /// Rows of the words in columns `area.x` (a multiple of 64) to area.right() - 1, of a world whose cell
  /// (0, 0) has the coordinates `origin`.
  RowSummary(const SummaryParts& parts, const Box& area, Position origin);

  /// Adds row `y`: its words from column area.x on, bits beyond the width 0.
  void add(std::int64_t y, const std::uint64_t* words);
  void merge(const RowSummary& other);
  BoardSummary result() const;

 private:
  SummaryParts parts_;
  Box area_;
  Position origin_;
  RowHasher hash_row_;
  std::uint64_t population_ = 0, hash_ = 0;
  std::int64_t top_ = -1, bottom_ = -1;
  std::vector<std::uint64_t> columns_;  // live cells of all rows
};

}  // namespace moorea
