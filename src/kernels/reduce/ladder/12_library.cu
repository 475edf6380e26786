// SPDX-License-Identifier: MIT
// Baseline: the reduction of CUDA's own library, CUB. It chooses its blocks for the GPU: a grid that suits
// the device strides over the array, so each thread adds many values and loads several at once, unlike all
// rungs before.
#include <cub/device/device_reduce.cuh>

#include <cstdint>

#include "kernels/reduction.h"

namespace moorea::kernels {
namespace {

// CUB accumulates in the type of the output: 64 bits.
void launch(const ReductionCall& call) {
  std::size_t bytes = 0;
  cub::DeviceReduce::Sum(nullptr, bytes, call.values, call.sum, call.n);
  cub::DeviceReduce::Sum(call.scratch, bytes, call.values, call.sum, call.n,
                         static_cast<cudaStream_t>(call.stream));
}

// Depends on the current device.
std::size_t scratch_bytes(std::int64_t n, int) {
  const std::uint32_t* values = nullptr;
  unsigned long long* sum = nullptr;
  std::size_t bytes = 0;
  cub::DeviceReduce::Sum(nullptr, bytes, values, sum, n);
  return bytes;
}

}  // namespace

extern const Reduction reduce_ladder_12_library = {
    .summary = "CUDA's library, CUB: the baseline",
    .launch = launch,
    .scratch_bytes = scratch_bytes,
    .default_threads = 0,
};

}  // namespace moorea::kernels
