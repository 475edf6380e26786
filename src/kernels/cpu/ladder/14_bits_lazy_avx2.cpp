// SPDX-License-Identifier: MIT
// Skips tiles of packed cells that, with their neighbours, are still or have period two; 256 cells per vector
// elsewhere. See cpu/ladder/rows_lazy.h. It pays in worlds that are inactive except for a few places.
#include <immintrin.h>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cpu/ladder/words_avx2.h"

#include "kernels/common/bits.h"

#include "kernels/cpu/rows.h"

#include "kernels/cpu/ladder/rows_lazy.h"

BlockBinding bind(RuleMask) { return {.step = step_rows_lazy}; }

}  // namespace

extern const Kernel cpu_ladder_14_bits_lazy_avx2;
constexpr Kernel cpu_ladder_14_bits_lazy_avx2 = {
    .summary = "ladder: bits, skips tiles that are still or have period two, AVX2",
    .layout = Layout::bits,
    .max_steps = 1,
    .needs = {.avx2 = true},
    .contract =
        BlockContract{
            .bind = bind, .operations_per_word = 68, .tile = {256, 64}, .activity = Activity::skipped},
};

}  // namespace moorea::kernels
