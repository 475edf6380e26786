// SPDX-License-Identifier: MIT
// Small spaceships, recognised without a list of cells: most clusters at the border of a soup's reach are
// new, and soon larger than any ship that may leave it.
#pragma once

#include <cstdint>
#include <span>

#include "census/soup_board.h"
#include "objects/cells.h"

namespace moorea {

class SmallShips {
 public:
  static constexpr std::int64_t max_side = 8;

  explicit SmallShips(SoupRule rule) : rule_(std::move(rule)) {}

  /// Whether a cluster, evolved alone, is a spaceship with a period of at most `max_period` generations and
  /// never more than max_side columns and rows. `box` is the smallest one of its cells, and not larger.
  bool include(std::span<const Position> cells, const Box& box, std::uint64_t max_period) const;

 private:
  SoupRule rule_;
};

}  // namespace moorea
