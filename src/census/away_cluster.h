// SPDX-License-Identifier: MIT
// Clusters that were removed from a board, because nothing on it will reach them soon.
#pragma once

#include <cstdint>
#include <vector>

#include "census/catalogue.h"

namespace moorea {

/// The box that contains a cluster of which the corner of the box in its first phase was `at` in a generation
/// before, at generation `now`; one cell larger if it moves, by fractions of a cell.
MovingBox swept_box(const KnownCluster& known, const Position& at, std::uint64_t generation,
                    std::uint64_t now);

struct AwayCluster {
  SharedCluster known;
  Position at;                   ///< of its box's corner in the first phase
  std::uint64_t generation = 0;  ///< of that

  CellList cells(std::uint64_t now) const;
  Box box(std::uint64_t now) const { return bounds_of_unsorted(cells(now)); }
  MovingBox swept(std::uint64_t now) const { return swept_box(*known, at, generation, now); }
};

/// A soup at some generation.
struct SoupState {
  CellList cells;
  std::uint64_t generation = 0;
  std::vector<AwayCluster> away = {};
  /// The soup is cut off if anything but ships that fly outwards is outside this box; nowhere if it is empty.
  Box reach = {};
};

}  // namespace moorea
