// SPDX-License-Identifier: MIT
// Moves of bits to adjacent lanes of a vector with AVX-512, for halo columns. Include inside an unnamed
// namespace, after defining `word`.
#ifndef MOOREA_KERNELS_STEP_SHIFTS_AVX512_H
#define MOOREA_KERNELS_STEP_SHIFTS_AVX512_H

// Rotation by one bit within each 64-bit part, after which the bits that wrapped move to the next (previous)
// part: cyclically, or with a 0 shifted in
static inline word rotate_up(word v, __mmask8 kept) {
  const word turned = _mm512_maskz_rol_epi64(0xFF, v, 1);
  const word next = _mm512_maskz_alignr_epi64(kept, turned, turned, 7);
  return _mm512_ternarylogic_epi64(_mm512_set1_epi64(1), next, turned, 0xCA);
}
static inline word rotate_down(word v, __mmask8 kept) {
  const word turned = _mm512_maskz_ror_epi64(0xFF, v, 1);
  const word next = _mm512_maskz_alignr_epi64(kept, turned, turned, 1);
  return _mm512_ternarylogic_epi64(_mm512_set1_epi64(static_cast<long long>(std::uint64_t{1} << 63)), next,
                                   turned, 0xCA);
}
static inline word rotate_up(word v) { return rotate_up(v, 0xFF); }
static inline word rotate_down(word v) { return rotate_down(v, 0xFF); }
static inline word lanes_up(word v) { return rotate_up(v, 0xFE); }
static inline word lanes_down(word v) { return rotate_down(v, 0x7F); }

#endif
