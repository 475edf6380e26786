// SPDX-License-Identifier: MIT
// Shared by the rungs of the reduction ladder: the number of thread blocks and the layout of scratch memory.
// Only functions with internal linkage; CUDA only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/reduction.h"

namespace moorea::kernels {

constexpr std::size_t value_bytes = 4, sum_bytes = 8;

/// Number of blocks for n values with `values_a_block` each; at least one, so that an empty array has a sum
/// too.
static inline std::int64_t blocks_for(std::int64_t n, std::int64_t values_a_block) {
  return n == 0 ? 1 : (n + values_a_block - 1) / values_a_block;
}

/// Scratch memory: the trees of all blocks, followed by the sums of the blocks.
template <class Value, class Sum>
struct TreeScratch {
  Value* trees;
  Sum* sums;
};

static inline std::size_t tree_bytes(std::int64_t blocks, int threads) {
  return static_cast<std::size_t>(blocks) * static_cast<std::size_t>(threads) * value_bytes;
}

static inline std::size_t block_sum_bytes(std::int64_t blocks) {
  return static_cast<std::size_t>(blocks) * sum_bytes;
}

template <class Value, class Sum>
static inline TreeScratch<Value, Sum> tree_scratch(const SumCall<Value, Sum>& call, std::int64_t blocks) {
  return {static_cast<Value*>(call.scratch),
          reinterpret_cast<Sum*>(static_cast<std::byte*>(call.scratch) + tree_bytes(blocks, call.threads))};
}

/// Dynamic shared memory of a block as an array; value_bytes for each thread.
template <class Value>
static __device__ inline Value* shared_tree() {
  extern __shared__ std::uint32_t memory[];
  static_assert(sizeof(Value) == sizeof memory[0]);
  return reinterpret_cast<Value*>(memory);
}

}  // namespace moorea::kernels
