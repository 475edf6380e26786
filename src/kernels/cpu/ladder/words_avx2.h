// SPDX-License-Identifier: MIT
// Four consecutive words as the vector of cpu/rows.h and cpu/ladder/rows_temporal.h, with AVX2. Include
// inside an unnamed namespace.
#ifndef MOOREA_KERNELS_STEP_WORDS_AVX2_H
#define MOOREA_KERNELS_STEP_WORDS_AVX2_H

using word = __m256i;
constexpr int lanes = 4;

static inline word spread(unsigned bit) { return _mm256_set1_epi64x(-static_cast<long long>(bit)); }
static inline word load(const std::uint64_t* p) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
}
static inline void store(std::uint64_t* p, word value) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), value);
}
static inline __m256i first(int n) {
  return _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3));
}
static inline word load_first(const std::uint64_t* p, int n) {
  return _mm256_maskload_epi64(reinterpret_cast<const long long*>(p), first(n));
}
static inline void store_first(std::uint64_t* p, word value, int n) {
  _mm256_maskstore_epi64(reinterpret_cast<long long*>(p), first(n), value);
}

// Left or right neighbour of each cell, from the words that begin one word before or after.
using Integers [[gnu::vector_size(32)]] = std::uint64_t;
static inline word left_of(word cells, word before) {
  return (word)((Integers)cells << 1 | (Integers)before >> 63);
}
static inline word right_of(word cells, word after) {
  return (word)((Integers)cells >> 1 | (Integers)after << 63);
}

#endif
