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
Binding bind(RuleMask, const DeviceTraits& device) {
  if (!device.avx512) return {nullptr, "this CPU has no AVX-512 (F, BW, DQ, VL)", 0};
  return {step_rows_lazy, nullptr, 47};
}

}  // namespace

extern const Kernel cpu_ladder_14_bits_lazy_avx512;
const Kernel cpu_ladder_14_bits_lazy_avx512 = {
    .summary = "ladder: bits, skips tiles that are still or have period two, AVX-512",
    .layout = Layout::bits,
    .max_steps = 1,
    .bind = bind,
    .tile = {512, 64},
    .activity = Activity::skipped};

}  // namespace moorea::kernels
