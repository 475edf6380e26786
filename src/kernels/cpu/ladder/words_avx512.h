// SPDX-License-Identifier: MIT
// Eight consecutive words as the vector of cpu/rows.h and cpu/ladder/rows_temporal.h, with AVX-512. Include
// inside an unnamed namespace.
#ifndef MOOREA_KERNELS_STEP_WORDS_AVX512_H
#define MOOREA_KERNELS_STEP_WORDS_AVX512_H

using word = __m512i;
constexpr int lanes = 8;

static inline word spread(unsigned bit) { return _mm512_set1_epi64(-static_cast<long long>(bit)); }
static inline word load(const std::uint64_t* p) { return _mm512_loadu_si512(p); }
static inline void store(std::uint64_t* p, word value) { _mm512_storeu_si512(p, value); }
static inline __mmask8 first(int n) { return static_cast<__mmask8>((1 << n) - 1); }
static inline word load_first(const std::uint64_t* p, int n) { return _mm512_maskz_loadu_epi64(first(n), p); }
static inline void store_first(std::uint64_t* p, word value, int n) {
  _mm512_mask_storeu_epi64(p, first(n), value);
}

// Left or right neighbour of each cell, from the words that begin one word before or after.
using Integers [[gnu::vector_size(64)]] = std::uint64_t;
static inline word left_of(word cells, word before) {
  return (word)((Integers)cells << 1 | (Integers)before >> 63);
}
static inline word right_of(word cells, word after) {
  return (word)((Integers)cells >> 1 | (Integers)after << 63);
}

#endif
