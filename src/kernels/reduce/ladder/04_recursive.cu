// SPDX-License-Identifier: MIT
// 03_sequential applied repeatedly: the sums of the blocks are the values of the next launch, until one block
// remains. All multiprocessors share the final additions, for one more launch per level; the end of a kernel
// is the barrier between blocks.
#include <cuda_runtime.h>

#include <cstdint>
#include <utility>

#include "kernels/reduce/sums.h"
#include "kernels/reduction.h"

namespace moorea::kernels {
namespace {

// Number: Value for the values, Sum for the sums of blocks.
template <class Number, class Sum>
__global__ void add_in_blocks(const Number* values, std::int64_t n, Number* trees, Sum* sums) {
  const unsigned thread = threadIdx.x;
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * blockDim.x;
  Number* tree = trees + first;

  tree[thread] = first + thread < n ? values[first + thread] : 0;
  __syncthreads();  // the first level reads what other threads have loaded

  for (unsigned distance = blockDim.x / 2; distance > 0; distance /= 2) {
    if (thread < distance) tree[thread] += tree[thread + distance];
    __syncthreads();  // the next level reads this one's sums
  }

  if (thread == 0) sums[blockIdx.x] = tree[0];
}

// The sums of one level are the values of the next and alternate between two arrays. Their trees reuse the
// memory of the first ones: twice as wide, and at most half as many.
template <class Value, class Sum>
void launch(const SumCall<Value, Sum>& call) {
  const auto threads = static_cast<unsigned>(call.threads);
  const auto stream = static_cast<cudaStream_t>(call.stream);
  std::int64_t blocks = blocks_for(call.n, call.threads);
  const TreeScratch<Value, Sum> scratch = tree_scratch(call, blocks);
  Sum *from = scratch.sums, *to = scratch.sums + blocks;
  add_in_blocks<<<static_cast<unsigned>(blocks), threads, 0, stream>>>(call.values, call.n, scratch.trees,
                                                                       blocks == 1 ? call.sum : from);
  while (blocks > 1) {
    const std::int64_t count = blocks;
    blocks = blocks_for(count, call.threads);
    add_in_blocks<<<static_cast<unsigned>(blocks), threads, 0, stream>>>(
        from, count, reinterpret_cast<Sum*>(scratch.trees), blocks == 1 ? call.sum : to);
    std::swap(from, to);
  }
}

std::size_t scratch_bytes(std::int64_t n, int threads) {
  const std::int64_t blocks = blocks_for(n, threads);
  const std::int64_t next_blocks = blocks_for(blocks, threads);
  return tree_bytes(blocks, threads) + block_sum_bytes(blocks + next_blocks);
}

}  // namespace

extern const Reduction reduce_ladder_04_recursive = {
    .summary = "one kernel per level of block sums, in global memory",
    .launch = launch,
    .launch_floats = launch,
    .scratch_bytes = scratch_bytes,
    .default_threads = 256,
};

}  // namespace moorea::kernels
