// SPDX-License-Identifier: MIT
// GPU reductions, checked and then timed by the device's clock. Guard values follow the array and the scratch
// memory is filled with garbage, so that a reduction that reads too far or relies on zeros gives a wrong sum.
#include <fmt/core.h>

#include <cstdint>

#include "devices/cuda.h"
#include "devices/cuda/runtime.h"
#include "devices/cuda/values.h"
#include "model/memory.h"
#include "moorea/error.h"

namespace moorea {
namespace {

constexpr std::int64_t guard_values = 4096;  // 16 KiB that no reduction may read
constexpr int guard_byte = 0x01, garbage = 0xA5;

constexpr double sample_seconds = 1e-3;  // minimum, so that the clock's resolution is negligible
constexpr double warm_up_seconds = 0.05;
constexpr int max_launches = 1 << 14;  // per sample

void require_gpu_memory(std::size_t bytes, std::int64_t n) {
  std::size_t available = 0, whole = 0;
  MOOREA_CUDA(cudaMemGetInfo(&available, &whole));
  if (bytes <= available) return;
  throw Error(
      fmt::format("a reduction of {} values needs {} of the GPU's memory, {} of {} are available: "
                  "fewer values",
                  n, human_bytes(static_cast<double>(bytes)), human_bytes(static_cast<double>(available)),
                  human_bytes(static_cast<double>(whole))));
}

// An array on the current device and a reduction of it.
class ArrayOnGpu {
 public:
  ArrayOnGpu(const kernels::Reduction& reduction, std::int64_t n, int threads, std::uint32_t seed)
      : reduction_(&reduction), sum_(sizeof(unsigned long long)) {
    const std::size_t array_bytes = static_cast<std::size_t>(n + guard_values) * sizeof(std::uint32_t);
    const std::size_t scratch_bytes = reduction.scratch_bytes(n, threads);
    require_gpu_memory(array_bytes + scratch_bytes, n);
    values_ = cuda::DeviceMemory(array_bytes);
    scratch_ = cuda::DeviceMemory(scratch_bytes);
    call_ = {values_.as<std::uint32_t>(),        n,      sum_.as<unsigned long long>(), scratch_.data(),
             static_cast<cudaStream_t>(stream_), threads};
    MOOREA_CUDA(cudaDeviceSynchronize());  // the memory must be cleared before the stream begins
    std::uint32_t* values = values_.as<std::uint32_t>();
    cuda::make_values(values, n, seed, stream_);
    MOOREA_CUDA(cudaGetLastError());
    MOOREA_CUDA(cudaMemsetAsync(values + n, guard_byte, guard_values * sizeof(std::uint32_t), stream_));
    MOOREA_CUDA(cudaMemsetAsync(scratch_.data(), garbage, scratch_bytes, stream_));
    MOOREA_CUDA(cudaMemsetAsync(sum_.data(), garbage, sizeof(unsigned long long), stream_));
  }

  void launch() const {
    reduction_->launch(call_);
    MOOREA_CUDA(cudaGetLastError());
  }

  // Returns the result of the last launch.
  std::uint64_t sum() const {
    unsigned long long sum = 0;
    MOOREA_CUDA(cudaMemcpyAsync(&sum, sum_.data(), sizeof sum, cudaMemcpyDeviceToHost, stream_));
    stream_.wait();
    return sum;
  }

  // Returns the time of consecutive launches.
  double seconds_of(int launches) const {
    MOOREA_CUDA(cudaEventRecord(begin_, stream_));
    for (int i = 0; i < launches; ++i) launch();
    MOOREA_CUDA(cudaEventRecord(end_, stream_));
    MOOREA_CUDA(cudaEventSynchronize(end_));
    float milliseconds = 0;
    MOOREA_CUDA(cudaEventElapsedTime(&milliseconds, begin_, end_));
    return static_cast<double>(milliseconds) / 1000;
  }

 private:
  const kernels::Reduction* reduction_;
  cuda::Stream stream_;
  cuda::DeviceMemory sum_, values_, scratch_;
  kernels::ReductionCall call_ = {};
  cuda::Event begin_, end_;
};

}  // namespace

ReductionTiming time_gpu_reduction(int device, const kernels::Reduction& reduction, std::int64_t n,
                                   int threads, int samples, std::uint32_t seed) {
  MOOREA_CUDA(cudaSetDevice(device));
  const ArrayOnGpu array(reduction, n, threads, seed);
  ReductionTiming timing;
  timing.values = n;
  timing.threads = threads;
  timing.bytes_read = static_cast<std::uint64_t>(n) * sizeof(std::uint32_t);
  timing.expected = cuda::sum_of_values(n, seed);
  array.launch();
  timing.sum = array.sum();
  if (timing.sum != timing.expected || samples == 0) return timing;

  int launches = 1;
  for (double warm = 0;;) {
    const double seconds = array.seconds_of(launches);
    warm += seconds;
    if (seconds < sample_seconds && launches < max_launches) {
      launches *= 2;
    } else if (warm >= warm_up_seconds) {
      break;
    }
  }
  for (int i = 0; i < samples; ++i) timing.seconds.push_back(array.seconds_of(launches) / launches);
  timing.sum = array.sum();
  if (timing.sum != timing.expected) timing.seconds.clear();
  return timing;
}

}  // namespace moorea
