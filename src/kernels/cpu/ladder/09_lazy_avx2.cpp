// SPDX-License-Identifier: MIT
// Rung 9 with the vectors of rung 4: tiles that did not change, and whose neighbours did not, are left alone,
// and all others are computed with intrinsics, 32 cells per vector. The accumulated difference of old and new
// cells is the tile's flag, at the price of two operations per vector. Each part gains where the other does
// not: vectors in a soup, flags in a world that is nearly empty or still.
#include <immintrin.h>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cpu/ladder/bytes.h"
#include "kernels/cpu/ladder/bytes_avx2.h"

#include "kernels/cpu/ladder/rows_avx2.h"

BlockBinding bind(RuleMask) { return {.step = step_rows}; }

}  // namespace

extern const Kernel cpu_ladder_09_lazy_avx2;
constexpr Kernel cpu_ladder_09_lazy_avx2 = {
    .summary = "ladder: only tiles that changed, or whose neighbours did, with AVX2",
    .layout = Layout::bytes,
    .max_steps = 1,
    .needs = {.avx2 = true},
    .contract = BlockContract{.bind = bind, .tile = {128, 64}, .activity = Activity::skipped},
};

}  // namespace moorea::kernels
