// SPDX-License-Identifier: MIT
// Moves of bits to adjacent lanes of a vector with AVX2, for halo columns. Include inside an unnamed
// namespace, after defining `word`.
#ifndef MOOREA_KERNELS_STEP_SHIFTS_AVX2_H
#define MOOREA_KERNELS_STEP_SHIFTS_AVX2_H

// The preceding (following) 64-bit part of each part, cyclically
static inline word part_before(word v) { return _mm256_permute4x64_epi64(v, 0x93); }
static inline word part_after(word v) { return _mm256_permute4x64_epi64(v, 0x39); }

static inline word rotate_up(word v) {
  return _mm256_slli_epi64(v, 1) | _mm256_srli_epi64(part_before(v), 63);
}
static inline word rotate_down(word v) {
  return _mm256_srli_epi64(v, 1) | _mm256_slli_epi64(part_after(v), 63);
}
static inline word lanes_up(word v) {
  return _mm256_andnot_si256(_mm256_setr_epi64x(1, 0, 0, 0), rotate_up(v));
}
static inline word lanes_down(word v) {
  const long long top = static_cast<long long>(std::uint64_t{1} << 63);
  return _mm256_andnot_si256(_mm256_setr_epi64x(0, 0, 0, top), rotate_down(v));
}

#endif
