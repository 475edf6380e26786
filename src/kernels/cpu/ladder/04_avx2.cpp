// SPDX-License-Identifier: MIT
// 32 cells per vector with intrinsics: nine unaligned loads, byte additions, one comparison per relevant
// count (2 and 3 for Life), one store. The difference between old and new cells is accumulated, so that the
// tile can report whether it changed. The remainder of a row is computed cell by cell.
#include <immintrin.h>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cpu/ladder/bytes.h"
#include "kernels/cpu/ladder/bytes_avx2.h"

constexpr std::int64_t lanes = 32;

void step(const Block& block) {
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

BlockBinding bind(RuleMask) { return {.step = step}; }

}  // namespace

extern const Kernel cpu_ladder_04_avx2;
constexpr Kernel cpu_ladder_04_avx2 = {
    .summary = "ladder: 32 cells per vector with AVX2, nine loads, reports whether a tile changed",
    .layout = Layout::bytes,
    .max_steps = 1,
    .needs = {.avx2 = true},
    .contract = BlockContract{.bind = bind, .tile = {1024, 64}, .activity = Activity::reported},
};

}  // namespace moorea::kernels
