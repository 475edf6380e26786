// SPDX-License-Identifier: MIT
// Larger than Life in planes of 512 strided columns per vector with AVX-512.
#include <immintrin.h>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

using word = __m512i;

inline word spread(unsigned bit) { return _mm512_set1_epi64(-static_cast<long long>(bit)); }
inline word xor3(word a, word b, word c) { return _mm512_ternarylogic_epi64(a, b, c, 0x96); }
inline word majority(word a, word b, word c) { return _mm512_ternarylogic_epi64(a, b, c, 0xE8); }
inline word borrow(word a, word b, word c) { return _mm512_ternarylogic_epi64(a, b, c, 0x8E); }
inline word turns(word c, word v, word d) { return _mm512_ternarylogic_epi64(c, v, d, 0x60); }

#include "kernels/cpu/shifts_avx512.h"

#include "kernels/cpu/halo_columns.h"

#include "kernels/cpu/states/ages.h"

#include "kernels/cpu/wide/planes.h"

}  // namespace

extern const Kernel cpu_wide_planes_avx512;
constexpr Kernel cpu_wide_planes_avx512 = {
    .summary =
        "Larger than Life, 512 strided columns per vector with AVX-512, counts in bit planes by sliding "
        "windows",
    .layout = Layout::planes,
    .max_steps = 1,
    .supports = {.families = larger_than_life},
    .needs = {.avx512 = true},
    .contract = StatesContract{.bind = bind_wide, .lanes = word_lanes},
};

}  // namespace moorea::kernels
