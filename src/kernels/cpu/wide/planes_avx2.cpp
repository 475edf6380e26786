// SPDX-License-Identifier: MIT
// Larger than Life in planes of 256 strided columns per vector with AVX2.
#include <immintrin.h>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

using word = __m256i;

inline word spread(unsigned bit) { return _mm256_set1_epi64x(-static_cast<long long>(bit)); }
inline word xor3(word a, word b, word c) { return a ^ b ^ c; }
inline word majority(word a, word b, word c) { return (b & c) | (a & (b ^ c)); }
inline word borrow(word a, word b, word c) { return (b & c) | _mm256_andnot_si256(a, b ^ c); }
inline word turns(word c, word v, word d) { return c & (v ^ d); }

#include "kernels/cpu/shifts_avx2.h"

#include "kernels/cpu/halo_columns.h"

#include "kernels/cpu/states/ages.h"

#include "kernels/cpu/wide/planes.h"

}  // namespace

extern const Kernel cpu_wide_planes_avx2;
constexpr Kernel cpu_wide_planes_avx2 = {
    .summary =
        "Larger than Life, 256 strided columns per vector with AVX2, counts in bit planes by sliding windows",
    .layout = Layout::planes,
    .max_steps = 1,
    .supports = {.families = larger_than_life},
    .needs = {.avx2 = true},
    .contract = StatesContract{.bind = bind_wide, .lanes = word_lanes},
};

}  // namespace moorea::kernels
