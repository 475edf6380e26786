// SPDX-License-Identifier: MIT
// The end of the reductions that leave a sum for each thread block: one more block adds these up. It is one
// multiprocessor's work, and small beside what the blocks have done.
#pragma once

#include <cstdint>

namespace moorea::kernels {

static __global__ void add_block_sums(const unsigned long long* sums, std::int64_t count,
                                      unsigned long long* sum) {
  __shared__ unsigned long long total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();  // nobody adds to what is not 0 yet

  unsigned long long own = 0;
  for (std::int64_t i = threadIdx.x; i < count; i += blockDim.x) own += sums[i];
  atomicAdd(&total, own);
  __syncthreads();  // all have added

  if (threadIdx.x == 0) *sum = total;
}

}  // namespace moorea::kernels
