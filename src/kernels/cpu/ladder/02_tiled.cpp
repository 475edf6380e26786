// SPDX-License-Identifier: MIT
// The same in tiles: the world is cut into rectangles, which the threads share as a schedule says. A tile's
// three rows at a time stay in the first-level cache, which a long row of a large world does not; and tiles,
// unlike bands, can be dealt to threads as they become free. The cells are worked out as before.
#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cpu/ladder/cells.h"

Binding bind(RuleMask, const DeviceTraits&) { return {step_cells, nullptr, 0}; }

}  // namespace

extern const Kernel cpu_ladder_02_tiled;
const Kernel cpu_ladder_02_tiled = {.summary = "ladder: one cell after the other, in tiles",
                                    .layout = Layout::bytes,
                                    .max_steps = 1,
                                    .bind = bind,
                                    .tile = {256, 64},
                                    .wraps = true};

}  // namespace moorea::kernels
