// SPDX-License-Identifier: MIT
// Shared by the rungs of the reduction ladder: the number of thread blocks and the layout of scratch memory.
// Only functions with internal linkage; CUDA only.
#pragma once

#include <cstddef>
#include <cstdint>

namespace moorea::kernels {

/// Number of blocks for n values with `values_a_block` each; at least one, so that an empty array has a sum
/// too.
static inline std::int64_t blocks_for(std::int64_t n, std::int64_t values_a_block) {
  return n == 0 ? 1 : (n + values_a_block - 1) / values_a_block;
}

/// Scratch memory: the trees of all blocks, followed by the sums of the blocks.
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
