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
Binding bind(RuleMask, const DeviceTraits& device) {
  if (!device.avx512) return {nullptr, "this CPU has no AVX-512 (F, BW, DQ, VL)", 0};
  return {step_rows_temporal, nullptr, 47};
}

}  // namespace

extern const Kernel cpu_ladder_13_bits_temporal_avx512;
const Kernel cpu_ladder_13_bits_temporal_avx512 = {
    .summary = "ladder: eight generations per pass, 512 cells per vector with AVX-512",
    .layout = Layout::bits,
    .max_steps = max_levels,
    .bind = bind,
    .tile = {64 * (strip_words - 2), 512},
    .plane_steps = true};

}  // namespace moorea::kernels
