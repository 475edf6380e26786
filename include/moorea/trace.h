// SPDX-License-Identifier: MIT
// Traces: the thread and the time of each tile's computation.
#pragma once

#include <cstdint>

#include "moorea/grid.h"

#pragma GCC visibility push(default)
namespace moorea {

/// Computation of one tile (of one thread's rows, for kernels without tiles) in one pass over the world.
struct TileEvent {
  std::uint64_t generation = 0;  ///< generation before the pass
  Box tile;                      ///< in the cells' coordinates
  int thread = 0;                ///< number of the thread in its team, from 0
  int cpu = -1;                  ///< CPU on which the thread began the pass; -1: unknown
  double begin = 0, end = 0;     ///< seconds since the first call of step_tracing()
  bool changed = false;          ///< whether a cell changed; false if the kernel does not report it
};

}  // namespace moorea
#pragma GCC visibility pop
