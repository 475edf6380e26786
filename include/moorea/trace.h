// SPDX-License-Identifier: MIT
// Which thread computed which part of a world, and when.
#pragma once

#include <cstdint>

#include "moorea/grid.h"

namespace moorea {

/// One tile, or the rows of one thread where a kernel takes no tiles, in one pass over the world.
struct TileEvent {
  std::uint64_t generation = 0;  ///< before the pass
  Box tile;                      ///< in the cells' coordinates
  int thread = 0;                ///< of the team, from 0
  int cpu = -1;                  ///< on which the thread ran when it began the pass; -1: not known
  double begin = 0, end = 0;     ///< seconds since the first call of step_tracing()
  bool changed = false;          ///< whether a cell of it did, as far as the kernel reports it
};

}  // namespace moorea
