// SPDX-License-Identifier: MIT
// 09_unrolled with the additions of the blocks spread over 256 words, which one more block adds up. If they
// are faster than into one word, the L2 cache, which serialises additions to a word, was the limit.
#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/reduce/spread_sums.h"
#include "kernels/reduce/sums.h"
#include "kernels/reduction.h"

namespace moorea::kernels {
namespace {

constexpr int values_a_thread = 2;
constexpr unsigned max_threads = 1024;  // per block

template <class Value, class Sum>
__global__ void add_in_blocks(const Value* values, std::int64_t n, Sum* words) {
  Value* tree = shared_tree<Value>();
  const unsigned thread = threadIdx.x;
  const std::int64_t block = blockIdx.x, block_size = blockDim.x;
  const std::int64_t first = block * values_a_thread * block_size + thread, second = first + block_size;

  tree[thread] = (first < n ? values[first] : 0) + (second < n ? values[second] : 0);

#pragma unroll
  for (unsigned distance = max_threads / 2; distance > 0; distance /= 2) {
    if (distance >= blockDim.x) continue;
    __syncthreads();  // this level reads what other threads have loaded or added
    if (thread < distance) tree[thread] += tree[thread + distance];
  }

  if (thread == 0) atomicAdd(spread_word(words), static_cast<Sum>(tree[0]));
}

template <class Value, class Sum>
void launch(const SumCall<Value, Sum>& call) {
  const auto threads = static_cast<unsigned>(call.threads);
  const auto stream = static_cast<cudaStream_t>(call.stream);
  const std::int64_t blocks = blocks_for(call.n, values_a_thread * call.threads);
  auto* words = static_cast<Sum*>(call.scratch);
  clear_spread(words, stream);
  add_in_blocks<<<static_cast<unsigned>(blocks), threads, threads * value_bytes, stream>>>(call.values,
                                                                                           call.n, words);
  add_spread(words, call.sum, stream);
}

std::size_t scratch_bytes(std::int64_t, int) { return spread_bytes; }

}  // namespace

extern const Reduction reduce_ladder_09_unrolled_spread = {
    .summary = "rung 9 with the additions of the blocks spread over 256 words",
    .launch = launch,
    .launch_floats = launch,
    .scratch_bytes = scratch_bytes,
    .default_threads = 256,
};

}  // namespace moorea::kernels
