// SPDX-License-Identifier: MIT
// Tree of 02_strided from the other end: the second half of the values is added to the first half, then the
// second quarter to the first. Adjacent threads add adjacent values: a warp reads and writes whole cache
// lines in every level.
#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/reduce/block_sums.h"
#include "kernels/reduce/sums.h"
#include "kernels/reduction.h"

namespace moorea::kernels {
namespace {

template <class Value, class Sum>
__global__ void add_in_blocks(const Value* values, std::int64_t n, TreeScratch<Value, Sum> scratch) {
  const unsigned thread = threadIdx.x;
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * blockDim.x;
  Value* tree = scratch.trees + first;

  tree[thread] = first + thread < n ? values[first + thread] : 0;
  __syncthreads();  // the first level reads what other threads have copied

  for (unsigned distance = blockDim.x / 2; distance > 0; distance /= 2) {
    if (thread < distance) tree[thread] += tree[thread + distance];
    __syncthreads();  // the next level reads this one's sums
  }

  if (thread == 0) scratch.sums[blockIdx.x] = tree[0];
}

template <class Value, class Sum>
void launch(const SumCall<Value, Sum>& call) {
  const auto threads = static_cast<unsigned>(call.threads);
  const auto stream = static_cast<cudaStream_t>(call.stream);
  const std::int64_t blocks = blocks_for(call.n, call.threads);
  const TreeScratch<Value, Sum> scratch = tree_scratch(call, blocks);
  add_in_blocks<<<static_cast<unsigned>(blocks), threads, 0, stream>>>(call.values, call.n, scratch);
  add_block_sums<<<1, threads, 0, stream>>>(scratch.sums, blocks, call.sum);
}

std::size_t scratch_bytes(std::int64_t n, int threads) {
  const std::int64_t blocks = blocks_for(n, threads);
  return tree_bytes(blocks, threads) + block_sum_bytes(blocks);
}

}  // namespace

extern const Reduction reduce_ladder_03_sequential = {
    .summary = "the second half of the values is added to the first: adjacent threads read adjacent values",
    .launch = launch,
    .launch_floats = launch,
    .scratch_bytes = scratch_bytes,
    .default_threads = 256,
};

}  // namespace moorea::kernels
