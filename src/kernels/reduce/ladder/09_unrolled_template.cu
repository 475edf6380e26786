// SPDX-License-Identifier: MIT
// 09_unrolled with the block size as a template parameter: a kernel for each size from 32 to 1024, whose
// levels are those of this size, without a comparison for others, and nothing else: all levels are in shared
// memory, with a barrier each. 11_template is the same step from 10_warp.
#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/reduce/sums.h"
#include "kernels/reduction.h"

namespace moorea::kernels {
namespace {

constexpr int values_a_thread = 2, max_threads = 1024;  // max_threads: per block

template <unsigned threads, class Value, class Sum>
__global__ void add_in_blocks(const Value* values, std::int64_t n, Sum* sum) {
  __shared__ Value tree[threads];
  const unsigned thread = threadIdx.x;
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * values_a_thread * threads + thread;
  const std::int64_t second = first + threads;

  tree[thread] = (first < n ? values[first] : 0) + (second < n ? values[second] : 0);

#pragma unroll
  for (unsigned distance = threads / 2; distance > 0; distance /= 2) {
    __syncthreads();  // this level reads what other threads have loaded or added
    if (thread < distance) tree[thread] += tree[thread + distance];
  }

  if (thread == 0) atomicAdd(sum, static_cast<Sum>(tree[0]));
}

// Launches the kernel for the requested block size: tries `threads`, then twice as many.
template <unsigned threads, class Value, class Sum>
void launch_for(const SumCall<Value, Sum>& call, unsigned blocks) {
  if (static_cast<unsigned>(call.threads) == threads) {
    add_in_blocks<threads>
        <<<blocks, threads, 0, static_cast<cudaStream_t>(call.stream)>>>(call.values, call.n, call.sum);
  } else if constexpr (threads < max_threads) {
    launch_for<2 * threads>(call, blocks);
  }
}

template <class Value, class Sum>
void launch(const SumCall<Value, Sum>& call) {
  cudaMemsetAsync(call.sum, 0, sizeof *call.sum, static_cast<cudaStream_t>(call.stream));
  launch_for<32>(call, static_cast<unsigned>(blocks_for(call.n, values_a_thread * call.threads)));
}

std::size_t scratch_bytes(std::int64_t, int) { return 0; }

}  // namespace

extern const Reduction reduce_ladder_09_unrolled_template = {
    .summary = "the loop unrolled at compile time, a kernel for each block size",
    .launch = launch,
    .launch_floats = launch,
    .scratch_bytes = scratch_bytes,
    .default_threads = 256,
};

}  // namespace moorea::kernels
