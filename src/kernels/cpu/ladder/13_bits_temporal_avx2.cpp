// SPDX-License-Identifier: MIT
// Eight generations per pass over memory, 256 cells per vector: see cpu/ladder/rows_temporal.h. Faster than
// one generation per pass if the world is larger than the caches and several threads share the memory
// bandwidth.
#include <immintrin.h>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cpu/ladder/words_avx2.h"

#include "kernels/common/bits.h"
#include "kernels/cpu/ladder/rows_temporal.h"

BlockBinding bind(RuleMask) { return {.step = step_rows_temporal}; }

}  // namespace

extern const Kernel cpu_ladder_13_bits_temporal_avx2;
constexpr Kernel cpu_ladder_13_bits_temporal_avx2 = {
    .summary = "ladder: eight generations per pass, 256 cells per vector with AVX2",
    .layout = Layout::bits,
    .max_steps = max_levels,
    .needs = {.avx2 = true},
    .contract = BlockContract{.bind = bind,
                              .operations_per_word = 68,
                              .tile = {64 * (strip_words - 2), 512},
                              .plane_steps = true},
};

}  // namespace moorea::kernels
