// SPDX-License-Identifier: MIT
// Last stage of reductions that leave one sum per thread block: one more block adds these up, on a single
// multiprocessor; little work compared with that of the blocks.
#pragma once

#include <cstdint>

namespace moorea::kernels {

template <class Sum>
static __global__ void add_block_sums(const Sum* sums, std::int64_t count, Sum* sum) {
  __shared__ Sum total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();  // the total is 0 before any thread adds to it

  Sum own = 0;
  for (std::int64_t i = threadIdx.x; i < count; i += blockDim.x) own += sums[i];
  atomicAdd(&total, own);
  __syncthreads();  // all threads have added

  if (threadIdx.x == 0) *sum = total;
}

}  // namespace moorea::kernels
