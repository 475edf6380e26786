// SPDX-License-Identifier: MIT
// What the first rungs of the reductions' ladder share: the number of thread blocks, how they lay out their
// scratch memory, and a last kernel that adds up what the blocks have found. Only functions with internal
// linkage. For CUDA alone.
#pragma once

#include <cstddef>
#include <cstdint>

namespace moorea::kernels {

/// Blocks for n values, so many of them a block; one at least, so that no values have a sum too.
static inline std::int64_t blocks_for(std::int64_t n, std::int64_t values_a_block) {
  return n == 0 ? 1 : (n + values_a_block - 1) / values_a_block;
}

/// The trees of all blocks, one after the other, and behind them the sums of the blocks.
struct TreeScratch {
  std::uint32_t* trees;
  unsigned long long* sums;
};

static inline std::size_t tree_bytes(std::int64_t blocks, int threads) {
  return static_cast<std::size_t>(blocks) * static_cast<std::size_t>(threads) * sizeof(std::uint32_t);
}

static inline TreeScratch tree_scratch(void* scratch, std::int64_t blocks, int threads) {
  return {
      static_cast<std::uint32_t*>(scratch),
      reinterpret_cast<unsigned long long*>(static_cast<std::byte*>(scratch) + tree_bytes(blocks, threads))};
}

}  // namespace moorea::kernels
