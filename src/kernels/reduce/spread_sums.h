// SPDX-License-Identifier: MIT
// Result of a reduction spread over many words, so that blocks that end at the same time add to different
// ones. The words are so far apart that each is in a cache line, and in a slice of the L2 cache, of its own.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "kernels/reduce/block_sums.h"
#include "kernels/reduce/sums.h"

namespace moorea::kernels {

constexpr unsigned spread_words = 256, words_apart = 32;
constexpr std::size_t spread_bytes = spread_words * words_apart * sum_bytes;

/// Word of the calling block.
template <class Sum>
static __device__ inline Sum* spread_word(Sum* words) {
  return words + blockIdx.x % spread_words * words_apart;
}

static inline void clear_spread(void* words, cudaStream_t stream) {
  cudaMemsetAsync(words, 0, spread_bytes, stream);
}

/// Enqueues the addition of all words; those between them are 0.
template <class Sum>
static inline void add_spread(const Sum* words, Sum* sum, cudaStream_t stream) {
  add_block_sums<<<1, spread_words, 0, stream>>>(words, std::int64_t{spread_words} * words_apart, sum);
}

}  // namespace moorea::kernels
