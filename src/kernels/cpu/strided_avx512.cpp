// SPDX-License-Identifier: MIT
// 512 columns per vector in the strided layout (see strided.h): shifts only for the halo columns, up to 32
// generations per pass over memory, in place. Fastest for busy worlds on CPUs with AVX-512.
#include <immintrin.h>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

using word = __m512i;

inline word spread(unsigned bit) { return _mm512_set1_epi64(-static_cast<long long>(bit)); }

#include "kernels/common/bits.h"

inline word majority(word a, word b, word c) { return _mm512_ternarylogic_epi64(a, b, c, 0xE8); }
#define LUT3(a, b, c, table) _mm512_ternarylogic_epi64(a, b, c, table)

#include "kernels/cpu/rules.h"

// Rotation by one bit within each 64-bit part, after which the bits that wrapped move to the next (previous)
// part: cyclically, or with a 0 shifted in
inline word rotate_up(word v, __mmask8 kept) {
  const word turned = _mm512_maskz_rol_epi64(0xFF, v, 1);
  const word next = _mm512_maskz_alignr_epi64(kept, turned, turned, 7);
  return _mm512_ternarylogic_epi64(_mm512_set1_epi64(1), next, turned, 0xCA);
}
inline word rotate_down(word v, __mmask8 kept) {
  const word turned = _mm512_maskz_ror_epi64(0xFF, v, 1);
  const word next = _mm512_maskz_alignr_epi64(kept, turned, turned, 1);
  return _mm512_ternarylogic_epi64(_mm512_set1_epi64(static_cast<long long>(std::uint64_t{1} << 63)), next,
                                   turned, 0xCA);
}
inline word rotate_up(word v) { return rotate_up(v, 0xFF); }
inline word rotate_down(word v) { return rotate_down(v, 0xFF); }
inline word lanes_up(word v) { return rotate_up(v, 0xFE); }
inline word lanes_down(word v) { return rotate_down(v, 0x7F); }

inline bool is_full(word v) { return _mm512_cmpneq_epi64_mask(v, spread(1)) == 0; }

#include "kernels/cpu/strided.h"

}  // namespace

extern const Kernel cpu_strided_avx512;
constexpr Kernel cpu_strided_avx512 = {
    .summary = "512 strided columns per vector with AVX-512, 32 generations per pass in place",
    .layout = Layout::strided,
    .max_steps = max_sweep_steps,
    .supports = {.families = life_like | nine_cells},
    .needs = {.avx512 = true},
    .contract = StridedContract{.bind = bind_strided, .lanes = word_lanes},
};

}  // namespace moorea::kernels
