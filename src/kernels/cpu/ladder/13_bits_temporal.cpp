// SPDX-License-Identifier: MIT
// Eight generations per pass over memory, 64 cells per machine word: see cpu/ladder/rows_temporal.h. Plain
// words are so slow that memory bandwidth hardly limits them; the rung serves machines without vectors, and
// comparison.
#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cpu/ladder/words.h"

#include "kernels/common/bits.h"
#include "kernels/cpu/ladder/rows_temporal.h"

BlockBinding bind(RuleMask) { return {.step = step_rows_temporal}; }

}  // namespace

extern const Kernel cpu_ladder_13_bits_temporal;
constexpr Kernel cpu_ladder_13_bits_temporal = {
    .summary = "ladder: eight generations per pass, 64 cells per word in plain integers",
    .layout = Layout::bits,
    .max_steps = max_levels,
    .contract = BlockContract{.bind = bind,
                              .operations_per_word = 68,
                              .tile = {64 * (strip_words - 2), 512},
                              .plane_steps = true},
};

}  // namespace moorea::kernels
