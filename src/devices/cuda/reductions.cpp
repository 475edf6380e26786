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
// As a float or double, four or eight of these bytes are more than 10^38, and more than any sum as an integer
constexpr int guard_byte = 0x7F, garbage = 0x7F;

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

void enqueue(const kernels::Reduction& reduction, const kernels::ReductionCall& call) {
  reduction.launch(call);
}
void enqueue(const kernels::Reduction& reduction, const kernels::FloatReductionCall& call) {
  reduction.launch_floats(call);
}

// An array on the current device and a reduction of it.
template <class Value, class Sum>
class ArrayOnGpu {
 public:
  ArrayOnGpu(const kernels::Reduction& reduction, const ReductionTask& task)
      : reduction_(&reduction), sum_(sizeof(Sum)) {
    const std::int64_t n = task.values;
    const std::size_t array_bytes = static_cast<std::size_t>(n + guard_values) * sizeof(Value);
    const std::size_t scratch_bytes = reduction.scratch_bytes(n, task.threads);
    require_gpu_memory(array_bytes + scratch_bytes, n);
    values_ = cuda::DeviceMemory(array_bytes);
    scratch_ = cuda::DeviceMemory(scratch_bytes);
    call_ = {values_.as<Value>(), n, sum_.as<Sum>(), scratch_.data(), static_cast<cudaStream_t>(stream_),
             task.threads};
    MOOREA_CUDA(cudaDeviceSynchronize());  // the memory must be cleared before the stream begins
    Value* values = values_.as<Value>();
    cuda::make_values(values, n, task.seed, stream_);
    MOOREA_CUDA(cudaGetLastError());
    MOOREA_CUDA(cudaMemsetAsync(values + n, guard_byte, guard_values * sizeof(Value), stream_));
    MOOREA_CUDA(cudaMemsetAsync(scratch_.data(), garbage, scratch_bytes, stream_));
    MOOREA_CUDA(cudaMemsetAsync(sum_.data(), garbage, sizeof(Sum), stream_));
  }

  void launch() const {
    enqueue(*reduction_, call_);
    MOOREA_CUDA(cudaGetLastError());
  }

  // Returns the result of the last launch. Every sum of integers is below 2^53.
  double sum() const {
    Sum sum{};
    MOOREA_CUDA(cudaMemcpyAsync(&sum, sum_.data(), sizeof sum, cudaMemcpyDeviceToHost, stream_));
    stream_.wait();
    return static_cast<double>(sum);
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
  kernels::SumCall<Value, Sum> call_ = {};
  cuda::Event begin_, end_;
};

// Checks the sum, takes the timings, and checks the sum again.
template <class Value, class Sum>
void measure(const kernels::Reduction& reduction, const ReductionTask& task, ReductionTiming& timing) {
  const ArrayOnGpu<Value, Sum> array(reduction, task);
  array.launch();
  timing.sum = array.sum();
  if (!is_correct(timing) || task.samples == 0) return;

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
  for (int i = 0; i < task.samples; ++i) timing.seconds.push_back(array.seconds_of(launches) / launches);
  timing.sum = array.sum();
  if (!is_correct(timing)) timing.seconds.clear();
}

}  // namespace

ReductionTiming time_gpu_reduction(int device, const kernels::Reduction& reduction,
                                   const ReductionTask& task) {
  MOOREA_CUDA(cudaSetDevice(device));
  ReductionTiming timing;
  timing.values = task.values;
  timing.type = task.type;
  timing.threads = task.threads;
  timing.bytes_read = static_cast<std::uint64_t>(task.values) * sizeof(std::uint32_t);
  timing.expected = cuda::sum_of_values(task.type, task.values, task.seed);
  if (task.type == ReductionType::integers) {
    measure<std::uint32_t, unsigned long long>(reduction, task, timing);
  } else {
    timing.tolerance = kernels::float_sum_tolerance * timing.expected;
    measure<float, double>(reduction, task, timing);
  }
  return timing;
}

}  // namespace moorea
