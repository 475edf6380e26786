// SPDX-License-Identifier: MIT
// Processes a column of vectors instead of a row: a row's three cells are added once and the sum serves the
// rows above, at and below it, which saves six of the nine loads and half of the additions. Faster if the
// cells are cached and loads are the limit; the price is strided access from row to row.
#include <immintrin.h>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cpu/ladder/bytes.h"
#include "kernels/cpu/ladder/bytes_avx2.h"

constexpr std::int64_t lanes = 32;

// Cells of a row, and the sum of each with its left and right neighbours.
struct Row {
  __m256i cells, sum;
};

inline Row row_at(const std::uint8_t* p) {
  const __m256i cells = load_256(p);
  return {cells, _mm256_add_epi8(_mm256_add_epi8(load_256(p - 1), cells), load_256(p + 1))};
}

void step_column(const std::uint8_t* from, std::uint8_t* to, std::ptrdiff_t pitch, std::int64_t height,
                 const Rule256& rule) {
  __m256i above = row_at(from - pitch).sum;
  Row at = row_at(from);
  for (std::int64_t y = 0; y < height; ++y, from += pitch, to += pitch) {
    const Row below = row_at(from + pitch);

    const __m256i block = _mm256_add_epi8(_mm256_add_epi8(above, at.sum), below.sum);
    const __m256i next = next_256(_mm256_sub_epi8(block, at.cells), at.cells, rule);

    store_256(to, next);
    above = at.sum;
    at = below;
  }
}

void step(const Block& block) {
  const Rule256 rule = rule_256(block.rule);
  const auto* from = static_cast<const std::uint8_t*>(block.from);
  auto* to = static_cast<std::uint8_t*>(block.to);
  std::int64_t x = 0;
  for (; x + lanes <= block.width; x += lanes) step_column(from + x, to + x, block.pitch, block.height, rule);
  for (std::int64_t y = 0; y < block.height; ++y) {
    for (std::int64_t left = x; left < block.width; ++left) {
      to[y * block.pitch + left] = next_cell(from + y * block.pitch + left, block.pitch, block.rule);
    }
  }
}

BlockBinding bind(RuleMask) { return {.step = step}; }

}  // namespace

extern const Kernel cpu_ladder_05_fewer_loads_avx2;
constexpr Kernel cpu_ladder_05_fewer_loads_avx2 = {
    .summary = "ladder: AVX2 down columns of vectors, three loads instead of nine",
    .layout = Layout::bytes,
    .max_steps = 1,
    .needs = {.avx2 = true},
    .contract = BlockContract{.bind = bind, .tile = {1024, 64}},
};

}  // namespace moorea::kernels
