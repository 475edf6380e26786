// SPDX-License-Identifier: MIT
// 09_unrolled until one warp remains, whose threads then exchange their sums by shuffles, from register to
// register: five levels without barriers and without shared memory. (Code that omits those barriers and
// continues in shared memory relies on warps in lock step, which is not guaranteed since Volta.)
// Slower than 09_unrolled on an H200 nevertheless: docs/ladder.md, "The loss of the shuffles".
#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/reduce/sums.h"
#include "kernels/reduction.h"

namespace moorea::kernels {
namespace {

constexpr int values_a_thread = 2;
constexpr unsigned max_threads = 1024;  // a block
constexpr unsigned warp = 32, all_lanes = 0xFFFFFFFF;

template <class Value, class Sum>
__global__ void add_in_blocks(const Value* values, std::int64_t n, Sum* sum) {
  Value* tree = shared_tree<Value>();
  const unsigned thread = threadIdx.x;
  const std::int64_t block = blockIdx.x, block_size = blockDim.x;
  const std::int64_t first = block * values_a_thread * block_size + thread, second = first + block_size;

  tree[thread] = (first < n ? values[first] : 0) + (second < n ? values[second] : 0);

#pragma unroll
  for (unsigned distance = max_threads / 2; distance >= warp; distance /= 2) {
    if (distance >= blockDim.x) continue;
    __syncthreads();  // this level reads what other threads have loaded or added
    if (thread < distance) tree[thread] += tree[thread + distance];
  }

  if (thread >= warp) return;  // no barrier follows
  Value own = tree[thread];    // written by this thread itself
#pragma unroll
  for (unsigned distance = warp / 2; distance > 0; distance /= 2) {
    own += __shfl_down_sync(all_lanes, own, distance);
  }

  if (thread == 0) atomicAdd(sum, static_cast<Sum>(own));
}

template <class Value, class Sum>
void launch(const SumCall<Value, Sum>& call) {
  const auto threads = static_cast<unsigned>(call.threads);
  const auto stream = static_cast<cudaStream_t>(call.stream);
  const std::int64_t blocks = blocks_for(call.n, values_a_thread * call.threads);
  cudaMemsetAsync(call.sum, 0, sizeof *call.sum, stream);
  add_in_blocks<<<static_cast<unsigned>(blocks), threads, threads * value_bytes, stream>>>(call.values,
                                                                                           call.n, call.sum);
}

std::size_t scratch_bytes(std::int64_t, int) { return 0; }

}  // namespace

extern const Reduction reduce_ladder_10_warp = {
    .summary = "the last 32 threads by shuffles, without barriers",
    .launch = launch,
    .launch_floats = launch,
    .scratch_bytes = scratch_bytes,
    .default_threads = 256,
};

}  // namespace moorea::kernels
