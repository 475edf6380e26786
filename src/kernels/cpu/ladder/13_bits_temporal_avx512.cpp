// SPDX-License-Identifier: MIT
// Eight generations per pass over memory, 512 cells per vector: see cpu/ladder/rows_temporal.h. With such
// wide vectors, one generation per pass is memory-bound as soon as the world leaves the caches; this kernel
// is not.
#include <immintrin.h>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cpu/ladder/words_avx512.h"

#include "kernels/common/bits.h"
#include "kernels/cpu/ladder/rows_temporal.h"

// 47 operations as in cpu/bits_avx512
BlockBinding bind(RuleMask) { return {.step = step_rows_temporal}; }

}  // namespace

extern const Kernel cpu_ladder_13_bits_temporal_avx512;
constexpr Kernel cpu_ladder_13_bits_temporal_avx512 = {
    .summary = "ladder: eight generations per pass, 512 cells per vector with AVX-512",
    .layout = Layout::bits,
    .max_steps = max_levels,
    .needs = {.avx512 = true},
    .contract = BlockContract{.bind = bind,
                              .operations_per_word = 47,
                              .tile = {64 * (strip_words - 2), 512},
                              .plane_steps = true},
};

}  // namespace moorea::kernels
