// SPDX-License-Identifier: MIT
// First version: a byte per cell, one cell after the other along the rows, neighbours found by offsets that
// wrap around at the world's edges, two buffers that are swapped. With --threads 1 it is the serial program
// that the other rungs are compared with; each further thread computes a band of rows.
#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cpu/ladder/cells.h"

BlockBinding bind(RuleMask) { return {.step = step_cells}; }

}  // namespace

extern const Kernel cpu_ladder_01_serial;
constexpr Kernel cpu_ladder_01_serial = {
    .summary = "ladder: a byte per cell, one after the other, offsets that wrap around",
    .layout = Layout::bytes,
    .max_steps = 1,
    .contract = BlockContract{.bind = bind, .wraps = true},
};

}  // namespace moorea::kernels
