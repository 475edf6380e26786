// SPDX-License-Identifier: MIT
// Skips tiles of packed cells that, with their neighbours, are still or have period two; 512 cells per vector
// elsewhere. See cpu/ladder/rows_lazy.h. It pays in worlds that are inactive except for a few places.
#include <immintrin.h>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cpu/ladder/words_avx512.h"

#include "kernels/common/bits.h"

#include "kernels/cpu/rows.h"

#include "kernels/cpu/ladder/rows_lazy.h"

// 47 operations as in cpu/bits_avx512
BlockBinding bind(RuleMask) { return {.step = step_rows_lazy}; }

}  // namespace

extern const Kernel cpu_ladder_14_bits_lazy_avx512;
constexpr Kernel cpu_ladder_14_bits_lazy_avx512 = {
    .summary = "ladder: bits, skips tiles that are still or have period two, AVX-512",
    .layout = Layout::bits,
    .max_steps = 1,
    .needs = {.avx512 = true},
    .contract =
        BlockContract{
            .bind = bind, .operations_per_word = 47, .tile = {512, 64}, .activity = Activity::skipped},
};

}  // namespace moorea::kernels
