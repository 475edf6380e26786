// SPDX-License-Identifier: MIT
// 04_recursive with half the blocks: a thread adds two values while it loads them. In 04 half of the threads
// were idle from the first level on; here all threads do one addition with operands directly from the input.
#include <cuda_runtime.h>

#include <cstdint>
#include <utility>

#include "kernels/reduce/sums.h"
#include "kernels/reduction.h"

namespace moorea::kernels {
namespace {

constexpr int values_a_thread = 2;

// Number: Value for the values, Sum for the sums of blocks.
template <class Number, class Sum>
__global__ void add_in_blocks(const Number* values, std::int64_t n, Number* trees, Sum* sums) {
  const unsigned thread = threadIdx.x;
  const std::int64_t block = blockIdx.x, block_size = blockDim.x;
  const std::int64_t first = block * values_a_thread * block_size + thread, second = first + block_size;
  Number* tree = trees + block * block_size;

  tree[thread] = (first < n ? values[first] : 0) + (second < n ? values[second] : 0);
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
  std::int64_t blocks = blocks_for(call.n, values_a_thread * call.threads);
  const TreeScratch<Value, Sum> scratch = tree_scratch(call, blocks);
  Sum *from = scratch.sums, *to = scratch.sums + blocks;
  add_in_blocks<<<static_cast<unsigned>(blocks), threads, 0, stream>>>(call.values, call.n, scratch.trees,
                                                                       blocks == 1 ? call.sum : from);
  while (blocks > 1) {
    const std::int64_t count = blocks;
    blocks = blocks_for(count, values_a_thread * call.threads);
    add_in_blocks<<<static_cast<unsigned>(blocks), threads, 0, stream>>>(
        from, count, reinterpret_cast<Sum*>(scratch.trees), blocks == 1 ? call.sum : to);
    std::swap(from, to);
  }
}

std::size_t scratch_bytes(std::int64_t n, int threads) {
  const std::int64_t blocks = blocks_for(n, values_a_thread * threads);
  const std::int64_t next_blocks = blocks_for(blocks, values_a_thread * threads);
  return tree_bytes(blocks, threads) + block_sum_bytes(blocks + next_blocks);
}

}  // namespace

extern const Reduction reduce_ladder_05_first_add = {
    .summary = "half the blocks: each thread adds two values while it loads them",
    .launch = launch,
    .launch_floats = launch,
    .scratch_bytes = scratch_bytes,
    .default_threads = 256,
};

}  // namespace moorea::kernels
