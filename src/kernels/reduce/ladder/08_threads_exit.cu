// SPDX-License-Identifier: MIT
// 08_one_barrier_less in which threads that add nothing any more return: after each level half of those that
// are left. A barrier waits only for threads that have not exited (CUDA C++ Programming Guide,
// "Independent Thread Scheduling"). The registers of the block and its place on the multiprocessor are freed
// only with its last thread, so nothing is gained but the barriers of warps that would wait for others.
#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/reduce/sums.h"
#include "kernels/reduction.h"

namespace moorea::kernels {
namespace {

constexpr int values_a_thread = 2;

template <class Value, class Sum>
__global__ void add_in_blocks(const Value* values, std::int64_t n, Sum* sum) {
  Value* tree = shared_tree<Value>();
  const unsigned thread = threadIdx.x;
  const std::int64_t block = blockIdx.x, block_size = blockDim.x;
  const std::int64_t first = block * values_a_thread * block_size + thread, second = first + block_size;

  tree[thread] = (first < n ? values[first] : 0) + (second < n ? values[second] : 0);

  for (unsigned distance = blockDim.x / 2; distance > 0; distance /= 2) {
    __syncthreads();  // this level reads what other threads have loaded or added
    if (thread >= distance) return;
    tree[thread] += tree[thread + distance];
  }

  // The only thread left; unless it is named the compiler adds up over the warp
  if (thread == 0) atomicAdd(sum, static_cast<Sum>(tree[0]));
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

extern const Reduction reduce_ladder_08_threads_exit = {
    .summary = "threads that add nothing any more return",
    .launch = launch,
    .launch_floats = launch,
    .scratch_bytes = scratch_bytes,
    .default_threads = 256,
};

}  // namespace moorea::kernels
