// SPDX-License-Identifier: MIT
// Skips tiles of packed cells that, with their neighbours, are still or have period two, which is most of the
// ash of a soup: blocks, beehives, blinkers. See cpu/ladder/rows_lazy.h. In plain integers; its narrow tiles
// skip more than those of the vectors.
#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cpu/ladder/words.h"

#include "kernels/common/bits.h"

#include "kernels/cpu/rows.h"

#include "kernels/cpu/ladder/rows_lazy.h"

BlockBinding bind(RuleMask) { return {.step = step_rows_lazy}; }

}  // namespace

extern const Kernel cpu_ladder_14_bits_lazy;
constexpr Kernel cpu_ladder_14_bits_lazy = {
    .summary = "ladder: bits, skips tiles that are still or have period two, plain integers",
    .layout = Layout::bits,
    .max_steps = 1,
    .contract =
        BlockContract{
            .bind = bind, .operations_per_word = 68, .tile = {64, 64}, .activity = Activity::skipped},
};

}  // namespace moorea::kernels
