// SPDX-License-Identifier: MIT
// Baseline: the reduction of CUDA's own library, CUB. It chooses its blocks for the GPU: a grid that suits
// the device strides over the array, so each thread adds many values and loads several at once, unlike all
// rungs before.
#include <cub/device/device_reduce.cuh>

#include <algorithm>
#include <cstdint>

#include "kernels/reduction.h"

namespace moorea::kernels {
namespace {

// CUB accumulates in the type of the output: 64 bits.
template <class Value, class Sum>
void launch(const SumCall<Value, Sum>& call) {
  std::size_t bytes = 0;
  cub::DeviceReduce::Sum(nullptr, bytes, call.values, call.sum, call.n);
  cub::DeviceReduce::Sum(call.scratch, bytes, call.values, call.sum, call.n,
                         static_cast<cudaStream_t>(call.stream));
}

template <class Value, class Sum>
std::size_t scratch_bytes_of(std::int64_t n) {
  const Value* values = nullptr;
  Sum* sum = nullptr;
  std::size_t bytes = 0;
  cub::DeviceReduce::Sum(nullptr, bytes, values, sum, n);
  return bytes;
}

// Depends on the current device.
std::size_t scratch_bytes(std::int64_t n, int) {
  return std::max(scratch_bytes_of<std::uint32_t, unsigned long long>(n), scratch_bytes_of<float, double>(n));
}

}  // namespace

extern const Reduction reduce_ladder_12_library = {
    .summary = "CUDA's library, CUB: the baseline",
    .launch = launch,
    .launch_floats = launch,
    .scratch_bytes = scratch_bytes,
    .default_threads = 0,
};

}  // namespace moorea::kernels
