// SPDX-License-Identifier: MIT
// A tile in bytes with 32 cells per vector, which reports whether a cell changed; shared by cpu/ladder/04 and
// 09. Include inside an unnamed namespace after cpu/ladder/bytes_avx2.h.
#ifndef MOOREA_KERNELS_STEP_ROWS_AVX2_H
#define MOOREA_KERNELS_STEP_ROWS_AVX2_H

constexpr std::int64_t lanes = 32;

static inline void step_rows(const Block& block) {
  const Rule256 rule = rule_256(block.rule);
  __m256i difference = _mm256_setzero_si256();
  bool changed = false;
  for (std::int64_t y = 0; y < block.height; ++y) {
    const std::uint8_t* at = static_cast<const std::uint8_t*>(block.from) + y * block.pitch;
    const std::uint8_t *above = at - block.pitch, *below = at + block.pitch;
    std::uint8_t* to = static_cast<std::uint8_t*>(block.to) + y * block.pitch;
    std::int64_t x = 0;
    for (; x + lanes <= block.width; x += lanes) {
      const __m256i cells = load_256(at + x);

      __m256i count = _mm256_add_epi8(load_256(above + x - 1), load_256(above + x));
      count = _mm256_add_epi8(count, load_256(above + x + 1));
      count = _mm256_add_epi8(count, load_256(at + x - 1));
      count = _mm256_add_epi8(count, load_256(at + x + 1));
      count = _mm256_add_epi8(count, load_256(below + x - 1));
      count = _mm256_add_epi8(count, load_256(below + x));
      count = _mm256_add_epi8(count, load_256(below + x + 1));
      const __m256i next = next_256(count, cells, rule);
      difference = _mm256_or_si256(difference, _mm256_xor_si256(next, cells));

      store_256(to + x, next);
    }
    for (; x < block.width; ++x) {
      to[x] = next_cell(at + x, block.pitch, block.rule);
      changed = changed || to[x] != at[x];
    }
  }
  *block.changed = changed || _mm256_testz_si256(difference, difference) == 0;
}

#endif
