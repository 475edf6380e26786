// SPDX-License-Identifier: MIT
// Rung 01 in tiles: the world is partitioned into rectangles, which a schedule distributes to the threads.
// Three rows of a tile stay in the L1 cache, which a long row of a large world does not; and tiles, unlike
// bands, can be assigned to threads as they become free. The computation of a cell is unchanged.
#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cpu/ladder/cells.h"

BlockBinding bind(RuleMask) { return {.step = step_cells}; }

}  // namespace

extern const Kernel cpu_ladder_02_tiled;
constexpr Kernel cpu_ladder_02_tiled = {
    .summary = "ladder: one cell after the other, in tiles",
    .layout = Layout::bytes,
    .max_steps = 1,
    .contract = BlockContract{.bind = bind, .tile = {256, 64}, .wraps = true},
};

}  // namespace moorea::kernels
