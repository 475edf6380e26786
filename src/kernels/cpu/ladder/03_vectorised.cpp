// SPDX-License-Identifier: MIT
// Branch-free loops over pieces of rows, which the compiler vectorises: one loop adds the eight neighbours,
// and one more loop per relevant count compares with it. It uses the baseline vectors of the processor
// family; later rungs name their instruction set.
#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cpu/ladder/bytes.h"

// Cells whose counts are kept between the loops, in the L1 cache.
constexpr std::int64_t piece = 1024;

void count_neighbours(const std::uint8_t* at, std::ptrdiff_t pitch, std::int64_t cells,
                      std::uint8_t* __restrict counts) {
  const std::uint8_t *above = at - pitch, *below = at + pitch;
  for (std::int64_t i = 0; i < cells; ++i) {
    counts[i] = static_cast<std::uint8_t>(above[i - 1] + above[i] + above[i + 1] + at[i - 1] + at[i + 1] +
                                          below[i - 1] + below[i] + below[i + 1]);
  }
}

void next_cells(const std::uint8_t* __restrict at, const std::uint8_t* __restrict counts, std::int64_t cells,
                const LiveCounts& rule, std::uint8_t* __restrict next) {
  for (std::int64_t i = 0; i < cells; ++i) next[i] = 0;
  for (int n = 0; n < rule.size; ++n) {
    const LiveCount wanted = rule.at[n];
    for (std::int64_t i = 0; i < cells; ++i) {
      const std::uint8_t alive = wanted.born ^ (wanted.differs & at[i]);
      next[i] |= counts[i] == wanted.neighbours ? alive : std::uint8_t{0};
    }
  }
}

void step(const Block& block) {
  const LiveCounts rule = live_counts(block.rule);
  std::uint8_t counts[piece];
  for (std::int64_t y = 0; y < block.height; ++y) {
    for (std::int64_t x = 0; x < block.width; x += piece) {
      const std::int64_t cells = block.width - x < piece ? block.width - x : piece;
      const std::uint8_t* at = static_cast<const std::uint8_t*>(block.from) + y * block.pitch + x;
      std::uint8_t* to = static_cast<std::uint8_t*>(block.to) + y * block.pitch + x;
      count_neighbours(at, block.pitch, cells, counts);
      next_cells(at, counts, cells, rule, to);
    }
  }
}

BlockBinding bind(RuleMask) { return {.step = step}; }

}  // namespace

extern const Kernel cpu_ladder_03_vectorised;
constexpr Kernel cpu_ladder_03_vectorised = {
    .summary = "ladder: loops without branches that the compiler vectorises",
    .layout = Layout::bytes,
    .max_steps = 1,
    .contract = BlockContract{.bind = bind, .tile = {1024, 64}},
};

}  // namespace moorea::kernels
