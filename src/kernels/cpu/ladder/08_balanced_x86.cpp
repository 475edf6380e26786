// SPDX-License-Identifier: MIT
// Some threads with AVX-512, the others with AVX2: if wide vectors make a chip lower its clock for all cores,
// a mixture may beat either, and running both side by side shows by how much they differ. With a dynamic
// schedule the faster threads compute more tiles. The board selects the threads by a share that is an option.
// One file holds both; attributes select the instruction set of a function.
#include <immintrin.h>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cpu/ladder/bytes.h"

#define VECTOR_TARGET [[gnu::target("avx2")]]
#include "kernels/cpu/ladder/bytes_avx2.h"
#undef VECTOR_TARGET
#define VECTOR_TARGET [[gnu::target("avx512f,avx512bw,avx512dq,avx512vl")]]
#include "kernels/cpu/ladder/bytes_avx512.h"

[[gnu::target("avx2")]] void step_256(const Block& block) {
  const Rule256 rule = rule_256(block.rule);
  for (std::int64_t y = 0; y < block.height; ++y) {
    const std::uint8_t* at = static_cast<const std::uint8_t*>(block.from) + y * block.pitch;
    const std::uint8_t *above = at - block.pitch, *below = at + block.pitch;
    std::uint8_t* to = static_cast<std::uint8_t*>(block.to) + y * block.pitch;
    std::int64_t x = 0;
    for (; x + 32 <= block.width; x += 32) {
      __m256i count = _mm256_add_epi8(load_256(above + x - 1), load_256(above + x));
      count = _mm256_add_epi8(count, load_256(above + x + 1));
      count = _mm256_add_epi8(count, load_256(at + x - 1));
      count = _mm256_add_epi8(count, load_256(at + x + 1));
      count = _mm256_add_epi8(count, load_256(below + x - 1));
      count = _mm256_add_epi8(count, load_256(below + x));
      count = _mm256_add_epi8(count, load_256(below + x + 1));
      store_256(to + x, next_256(count, load_256(at + x), rule));
    }
    for (; x < block.width; ++x) to[x] = next_cell(at + x, block.pitch, block.rule);
  }
}

[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl")]] void step_512(const Block& block) {
  const Rule512 rule = rule_512(block.rule);
  for (std::int64_t y = 0; y < block.height; ++y) {
    const std::uint8_t* at = static_cast<const std::uint8_t*>(block.from) + y * block.pitch;
    const std::uint8_t *above = at - block.pitch, *below = at + block.pitch;
    std::uint8_t* to = static_cast<std::uint8_t*>(block.to) + y * block.pitch;
    std::int64_t x = 0;
    for (; x + 64 <= block.width; x += 64) {
      __m512i count = _mm512_add_epi8(load_512(above + x - 1), load_512(above + x));
      count = _mm512_add_epi8(count, load_512(above + x + 1));
      count = _mm512_add_epi8(count, load_512(at + x - 1));
      count = _mm512_add_epi8(count, load_512(at + x + 1));
      count = _mm512_add_epi8(count, load_512(below + x - 1));
      count = _mm512_add_epi8(count, load_512(below + x));
      count = _mm512_add_epi8(count, load_512(below + x + 1));
      _mm512_storeu_si512(to + x, cells_512(next_512(count, load_512(at + x), rule)));
    }
    for (; x < block.width; ++x) to[x] = next_cell(at + x, block.pitch, block.rule);
  }
}

BlockBinding bind(RuleMask) { return {.step = step_256, .wide_step = step_512}; }

}  // namespace

extern const Kernel cpu_ladder_08_balanced_x86;
constexpr Kernel cpu_ladder_08_balanced_x86 = {
    .summary = "ladder: a share of the threads with AVX-512, the others with AVX2",
    .layout = Layout::bytes,
    .max_steps = 1,
    .needs = {.avx2 = true, .avx512 = true},
    .contract = BlockContract{.bind = bind, .tile = {1024, 64}, .wide_share = 0.5},
};

}  // namespace moorea::kernels
