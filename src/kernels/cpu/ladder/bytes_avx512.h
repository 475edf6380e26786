// SPDX-License-Identifier: MIT
// A rule by comparison, on 64 cells per vector, a byte each: comparisons give one bit per cell in mask
// registers. Include inside an unnamed namespace after cpu/ladder/bytes.h; VECTOR_TARGET as in
// cpu/ladder/bytes_avx2.h.
#ifndef MOOREA_KERNELS_STEP_BYTES_AVX512_H
#define MOOREA_KERNELS_STEP_BYTES_AVX512_H

#ifndef VECTOR_TARGET
#define VECTOR_TARGET
#endif

struct Rule512 {
  int size;
  __m512i neighbours[9];
  __mmask64 born[9], differs[9];
};

VECTOR_TARGET static inline Rule512 rule_512(const RuleMask& rule) {
  const LiveCounts counts = live_counts(rule);
  Rule512 vectors;
  vectors.size = counts.size;
  for (int n = 0; n < counts.size; ++n) {
    vectors.neighbours[n] = _mm512_set1_epi8(static_cast<char>(counts.at[n].neighbours));
    vectors.born[n] = 0 - __mmask64{counts.at[n].born};
    vectors.differs[n] = 0 - __mmask64{counts.at[n].differs};
  }
  return vectors;
}

// Live cells of the next generation, as a mask.
VECTOR_TARGET static inline __mmask64 next_512(__m512i count, __m512i cells, const Rule512& rule) {
  const __mmask64 alive = _mm512_test_epi8_mask(cells, cells);
  __mmask64 next = 0;
  for (int n = 0; n < rule.size; ++n) {
    next |= _mm512_cmpeq_epi8_mask(count, rule.neighbours[n]) & (rule.born[n] ^ (rule.differs[n] & alive));
  }
  return next;
}

VECTOR_TARGET static inline __m512i load_512(const std::uint8_t* p) { return _mm512_loadu_si512(p); }

// Expands a mask to cells: a byte each, 1 or 0.
VECTOR_TARGET static inline __m512i cells_512(__mmask64 alive) {
  return _mm512_maskz_mov_epi8(alive, _mm512_set1_epi8(1));
}

#endif
