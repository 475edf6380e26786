// SPDX-License-Identifier: MIT
// Faulty on purpose, for the test of moorea reduce: it starts with the second value.
#include <cuda_runtime.h>

#include "kernels/reduction.h"

namespace moorea::kernels {
namespace {

__global__ void add_all(const std::uint32_t* values, std::int64_t n, unsigned long long* sum) {
  unsigned long long all = 0;
  for (std::int64_t i = 1; i < n; ++i) all += values[i];
  *sum = all;
}

void launch(const ReductionCall& call) {
  add_all<<<1, 1, 0, static_cast<cudaStream_t>(call.stream)>>>(call.values, call.n, call.sum);
}

std::size_t scratch_bytes(std::int64_t, int) { return 0; }

}  // namespace

extern const Reduction reduce_faulty = {
    .summary = "wrong on purpose",
    .launch = launch,
    .scratch_bytes = scratch_bytes,
    .default_threads = 32,
};

}  // namespace moorea::kernels
