// SPDX-License-Identifier: MIT
// 32 cells per vector with intrinsics: nine unaligned loads, byte additions, one comparison per relevant
// count (2 and 3 for Life), one store. The difference between old and new cells is accumulated, so that the
// tile can report whether it changed. The remainder of a row is computed cell by cell.
#include <immintrin.h>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cpu/ladder/bytes.h"
#include "kernels/cpu/ladder/bytes_avx2.h"

#include "kernels/cpu/ladder/rows_avx2.h"

BlockBinding bind(RuleMask) { return {.step = step_rows}; }

}  // namespace

extern const Kernel cpu_ladder_04_avx2;
constexpr Kernel cpu_ladder_04_avx2 = {
    .summary = "ladder: 32 cells per vector with AVX2, nine loads, reports whether a tile changed",
    .layout = Layout::bytes,
    .max_steps = 1,
    .needs = {.avx2 = true},
    .contract = BlockContract{.bind = bind, .tile = {1024, 64}, .activity = Activity::reported},
};

}  // namespace moorea::kernels
