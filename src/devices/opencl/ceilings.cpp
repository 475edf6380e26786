// SPDX-License-Identifier: MIT
// Measured memory bandwidth of an OpenCL device.

#include <algorithm>
#include <chrono>

#include "devices/cpu/ceilings.h"
#include "devices/cpu/threads.h"
#include "devices/opencl.h"
#include "devices/opencl/runtime.h"
#include "moorea/lab/ceilings.h"

namespace moorea {
namespace {

using namespace opencl;

constexpr std::size_t max_bytes = std::size_t{4} << 30;

Memory buffer_on(const Device& device, std::size_t bytes) {
  cl_int error = CL_SUCCESS;
  Memory memory(functions().clCreateBuffer(context_of(device), CL_MEM_READ_WRITE, bytes, nullptr, &error));
  check(error, "clCreateBuffer", __FILE__, __LINE__);
  return memory;
}

}  // namespace

Ceilings measure_opencl_ceilings(int number) {
  // A CPU device has the memory of the CPU
  if (opencl_is_cpu(number)) {
    Ceilings ceilings = measure_cpu_ceilings(usable_threads());
    ceilings.logic_words_per_second = 0;
    ceilings.logic_instruction.clear();
    return ceilings;
  }
  const Device& device = devices()[number];
  const auto whole = device_info<cl_ulong>(device.id, CL_DEVICE_GLOBAL_MEM_SIZE);
  const auto piece = device_info<cl_ulong>(device.id, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  const std::size_t bytes =
      std::min({max_bytes, static_cast<std::size_t>(piece), static_cast<std::size_t>(whole / 4)}) / 256 * 256;
  const Queue queue = make_queue(device);
  const Memory from = buffer_on(device, bytes), to = buffer_on(device, bytes);
  double best = 0;
  // Minimum of several samples, for an undisturbed device; the first copy also allocates the memory
  for (int sample = 0; sample < 6; ++sample) {
    const auto begin = std::chrono::steady_clock::now();
    MOOREA_CL(clEnqueueCopyBuffer, queue.get(), from.get(), to.get(), 0, 0, bytes, 0, nullptr, nullptr);
    MOOREA_CL(clFinish, queue.get());
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    best = sample == 0 ? seconds : std::min(best, seconds);
  }
  Ceilings ceilings;
  ceilings.copy_bytes_per_second = 2 * static_cast<double>(bytes) / best;
  return ceilings;
}

}  // namespace moorea
