// SPDX-License-Identifier: MIT
// 64 cells per machine word in plain integers: the three cells of each row are added once and reused by the
// rows above and below; full adders count the 3x3 block; constant masks give any rule's next state. Cells are
// stored as in a file, so loading needs no conversion. For CPUs without vector instructions.
#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

using word = std::uint64_t;
inline word spread(unsigned bit) { return 0 - std::uint64_t{bit}; }
#include "kernels/common/bits.h"

// Words of a row per strip: the row sums, 6 KiB, stay in the L1 cache.
constexpr std::int64_t strip_words = 128;

using SumRow = RowSum[strip_words];

void sum_row(const word* row, std::int64_t words, RowSum* sums) {
  for (std::int64_t j = 0; j < words; ++j) {
    sums[j] = row_sum(row[j] << 1 | row[j - 1] >> 63, row[j], row[j] >> 1 | row[j + 1] << 63);
  }
}

void step_strip(const word* from, word* to, std::int64_t pitch, std::int64_t words, std::int64_t height,
                const RulePlanes& rule) {
  SumRow rows[3];
  sum_row(from - pitch, words, rows[0]);
  sum_row(from, words, rows[1]);
  for (std::int64_t y = 0; y < height; ++y, from += pitch, to += pitch) {
    const RowSum* above = rows[y % 3];
    const RowSum* at = rows[(y + 1) % 3];
    RowSum* below = rows[(y + 2) % 3];
    sum_row(from + pitch, words, below);
    for (std::int64_t j = 0; j < words; ++j) to[j] = next_state(above[j], at[j], below[j], from[j], &rule);
  }
}

void step(const Block& block) {
  const RulePlanes rule = rule_planes(block.rule.birth, block.rule.survival);
  const std::int64_t words = (block.width + 63) / 64;
  const std::int64_t pitch = block.pitch / static_cast<std::ptrdiff_t>(sizeof(word));
  for (std::int64_t first = 0; first < words; first += strip_words) {
    const std::int64_t count = words - first < strip_words ? words - first : strip_words;
    step_strip(static_cast<const word*>(block.from) + first, static_cast<word*>(block.to) + first, pitch,
               count, block.height, rule);
  }
}

// 6 to align the neighbours, 5 for the row sum, 57 for next_state
BlockBinding bind(RuleMask) { return {.step = step}; }

}  // namespace

extern const Kernel cpu_bits;
constexpr Kernel cpu_bits = {
    .summary = "64 cells per word in plain integers, full adders, any rule; portable, slower than with AVX",
    .layout = Layout::bits,
    .max_steps = 1,
    .contract = BlockContract{.bind = bind, .operations_per_word = 68},
};

}  // namespace moorea::kernels
