// SPDX-License-Identifier: MIT
// 64 cells per vector: nine loads again, but comparisons write one bit per cell to mask registers, where the
// rule is a few operations on 64-bit masks outside the vector units. One instruction expands the masks to
// bytes. The remainder of a row, up to 63 cells, is computed cell by cell.
#include <immintrin.h>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cpu/ladder/bytes.h"
#include "kernels/cpu/ladder/bytes_avx512.h"

constexpr std::int64_t lanes = 64;

void step(const Block& block) {
  const Rule512 rule = rule_512(block.rule);
  for (std::int64_t y = 0; y < block.height; ++y) {
    const std::uint8_t* at = static_cast<const std::uint8_t*>(block.from) + y * block.pitch;
    const std::uint8_t *above = at - block.pitch, *below = at + block.pitch;
    std::uint8_t* to = static_cast<std::uint8_t*>(block.to) + y * block.pitch;
    std::int64_t x = 0;
    for (; x + lanes <= block.width; x += lanes) {
      __m512i count = _mm512_add_epi8(load_512(above + x - 1), load_512(above + x));
      count = _mm512_add_epi8(count, load_512(above + x + 1));
      count = _mm512_add_epi8(count, load_512(at + x - 1));
      count = _mm512_add_epi8(count, load_512(at + x + 1));
      count = _mm512_add_epi8(count, load_512(below + x - 1));
      count = _mm512_add_epi8(count, load_512(below + x));
      count = _mm512_add_epi8(count, load_512(below + x + 1));
      const __mmask64 next = next_512(count, load_512(at + x), rule);

      _mm512_storeu_si512(to + x, cells_512(next));
    }
    for (; x < block.width; ++x) to[x] = next_cell(at + x, block.pitch, block.rule);
  }
}

BlockBinding bind(RuleMask) { return {.step = step}; }

}  // namespace

extern const Kernel cpu_ladder_06_avx512;
constexpr Kernel cpu_ladder_06_avx512 = {
    .summary = "ladder: 64 cells per vector with AVX-512, comparisons into mask registers",
    .layout = Layout::bytes,
    .max_steps = 1,
    .needs = {.avx512 = true},
    .contract = BlockContract{.bind = bind, .tile = {1024, 64}},
};

}  // namespace moorea::kernels
