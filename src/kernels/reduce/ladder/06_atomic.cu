// SPDX-License-Identifier: MIT
// 05_first_add without the levels above the first: each block adds its sum to the result by an atomic
// addition, in one launch. No sums of blocks are stored; the additions to one word of memory are serialised
// by the L2 cache.
#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/reduce/sums.h"
#include "kernels/reduction.h"

namespace moorea::kernels {
namespace {

constexpr int values_a_thread = 2;

template <class Value, class Sum>
__global__ void add_in_blocks(const Value* values, std::int64_t n, Value* trees, Sum* sum) {
  const unsigned thread = threadIdx.x;
  const std::int64_t block = blockIdx.x, block_size = blockDim.x;
  const std::int64_t first = block * values_a_thread * block_size + thread, second = first + block_size;
  Value* tree = trees + block * block_size;

  tree[thread] = (first < n ? values[first] : 0) + (second < n ? values[second] : 0);
  __syncthreads();  // the first level reads what other threads have loaded

  for (unsigned distance = blockDim.x / 2; distance > 0; distance /= 2) {
    if (thread < distance) tree[thread] += tree[thread + distance];
    __syncthreads();  // the next level reads this one's sums
  }

  if (thread == 0) atomicAdd(sum, static_cast<Sum>(tree[0]));
}

template <class Value, class Sum>
void launch(const SumCall<Value, Sum>& call) {
  const auto threads = static_cast<unsigned>(call.threads);
  const auto stream = static_cast<cudaStream_t>(call.stream);
  const std::int64_t blocks = blocks_for(call.n, values_a_thread * call.threads);
  cudaMemsetAsync(call.sum, 0, sizeof *call.sum, stream);
  add_in_blocks<<<static_cast<unsigned>(blocks), threads, 0, stream>>>(
      call.values, call.n, static_cast<Value*>(call.scratch), call.sum);
}

std::size_t scratch_bytes(std::int64_t n, int threads) {
  return tree_bytes(blocks_for(n, values_a_thread * threads), threads);
}

}  // namespace

extern const Reduction reduce_ladder_06_atomic = {
    .summary = "one grid: each block adds its sum by an atomic addition",
    .launch = launch,
    .launch_floats = launch,
    .scratch_bytes = scratch_bytes,
    .default_threads = 256,
};

}  // namespace moorea::kernels
