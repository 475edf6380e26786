// SPDX-License-Identifier: MIT
// A rule by comparison, on 32 cells per vector, a byte each. Include inside an unnamed namespace after
// cpu/ladder/bytes.h. VECTOR_TARGET, if defined, is the target attribute of its functions in files not
// compiled for AVX2.
#ifndef MOOREA_KERNELS_STEP_BYTES_AVX2_H
#define MOOREA_KERNELS_STEP_BYTES_AVX2_H

#ifndef VECTOR_TARGET
#define VECTOR_TARGET
#endif

struct Rule256 {
  int size;
  __m256i neighbours[9], born[9], differs[9];
};

VECTOR_TARGET static inline Rule256 rule_256(const RuleMask& rule) {
  const LiveCounts counts = live_counts(rule);
  Rule256 vectors;
  vectors.size = counts.size;
  for (int n = 0; n < counts.size; ++n) {
    vectors.neighbours[n] = _mm256_set1_epi8(static_cast<char>(counts.at[n].neighbours));
    vectors.born[n] = _mm256_set1_epi8(static_cast<char>(counts.at[n].born));
    vectors.differs[n] = _mm256_set1_epi8(static_cast<char>(counts.at[n].differs));
  }
  return vectors;
}

VECTOR_TARGET static inline __m256i next_256(__m256i count, __m256i cells, const Rule256& rule) {
  __m256i next = _mm256_setzero_si256();
  for (int n = 0; n < rule.size; ++n) {
    const __m256i alive = _mm256_xor_si256(rule.born[n], _mm256_and_si256(rule.differs[n], cells));
    next = _mm256_or_si256(next, _mm256_and_si256(_mm256_cmpeq_epi8(count, rule.neighbours[n]), alive));
  }
  return next;
}

VECTOR_TARGET static inline __m256i load_256(const std::uint8_t* p) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
}

VECTOR_TARGET static inline void store_256(std::uint8_t* p, __m256i cells) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), cells);
}

#endif
