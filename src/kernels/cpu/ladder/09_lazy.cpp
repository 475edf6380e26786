// SPDX-License-Identifier: MIT
// A tile is computed only if it or one of its eight neighbours changed in the previous generation, and
// reports whether it changes in this one. The device double-buffers these flags and leaves the other tiles
// alone: both buffers hold the same cells there. The loops within a tile are those that a compiler
// vectorises. It pays if most of a world is empty or still; one blinker keeps nine tiles active.
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

// Returns whether a cell changes.
bool next_cells(const std::uint8_t* __restrict at, const std::uint8_t* __restrict counts, std::int64_t cells,
                const LiveCounts& rule, std::uint8_t* __restrict next) {
  for (std::int64_t i = 0; i < cells; ++i) next[i] = 0;
  for (int n = 0; n < rule.size; ++n) {
    const LiveCount wanted = rule.at[n];
    for (std::int64_t i = 0; i < cells; ++i) {
      const std::uint8_t alive = wanted.born ^ (wanted.differs & at[i]);
      next[i] |= counts[i] == wanted.neighbours ? alive : std::uint8_t{0};
    }
  }
  std::uint8_t difference = 0;
  for (std::int64_t i = 0; i < cells; ++i) difference |= next[i] ^ at[i];
  return difference != 0;
}

void step(const Block& block) {
  const LiveCounts rule = live_counts(block.rule);
  std::uint8_t counts[piece];
  bool changed = false;
  for (std::int64_t y = 0; y < block.height; ++y) {
    for (std::int64_t x = 0; x < block.width; x += piece) {
      const std::int64_t cells = block.width - x < piece ? block.width - x : piece;
      const std::uint8_t* at = static_cast<const std::uint8_t*>(block.from) + y * block.pitch + x;
      std::uint8_t* to = static_cast<std::uint8_t*>(block.to) + y * block.pitch + x;
      count_neighbours(at, block.pitch, cells, counts);
      changed = next_cells(at, counts, cells, rule, to) || changed;
    }
  }
  *block.changed = changed;
}

BlockBinding bind(RuleMask) { return {.step = step}; }

}  // namespace

extern const Kernel cpu_ladder_09_lazy;
constexpr Kernel cpu_ladder_09_lazy = {
    .summary = "ladder: only tiles that changed, or whose neighbours did",
    .layout = Layout::bytes,
    .max_steps = 1,
    .contract = BlockContract{.bind = bind, .tile = {128, 64}, .activity = Activity::skipped},
};

}  // namespace moorea::kernels
