// SPDX-License-Identifier: MIT
// Versions, memory and clocks of a GPU. Clocks are NVML's; without it the runtime knows the maximum.
#include <cuda_runtime_api.h>
#include <fmt/core.h>

#include "devices/cuda.h"
#include "devices/cuda/nvml.h"
#include "devices/cuda/runtime.h"

namespace moorea {
namespace {

using cuda::nvml;

// "CUDA 12.4" of 12040.
std::string version_text(int version) {
  return version > 0 ? fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10) : "";
}

std::string driver_version() {
  char text[96] = "";
  const bool known = nvml().works && nvml().driver_version != nullptr &&
                     nvml().driver_version(text, sizeof text) == cuda::nvml_success;
  return known ? text : "";
}

ClockFrequency clock_of(int device, int kind, cudaDeviceAttr maximum) {
  ClockFrequency clock;
  const cuda::NvmlDevice handle = cuda::nvml_device(device);
  unsigned megahertz = 0;
  if (handle != nullptr && nvml().clock != nullptr &&
      nvml().clock(handle, kind, &megahertz) == cuda::nvml_success)
    clock.now = megahertz;
  if (handle != nullptr && nvml().max_clock != nullptr &&
      nvml().max_clock(handle, kind, &megahertz) == cuda::nvml_success) {
    clock.maximum = megahertz;
  } else {
    int kilohertz = 0;
    MOOREA_CUDA(cudaDeviceGetAttribute(&kilohertz, maximum, device));
    clock.maximum = kilohertz / 1000.0;
  }
  return clock;
}

}  // namespace

DeviceFacts gpu_facts(int device) {
  DeviceFacts facts;
  int driver = 0, runtime = 0;
  MOOREA_CUDA(cudaDriverGetVersion(&driver));
  MOOREA_CUDA(cudaRuntimeGetVersion(&runtime));
  facts.driver = driver_version();
  facts.api = version_text(driver);
  facts.runtime = version_text(runtime);
  std::size_t available = 0, whole = 0;
  MOOREA_CUDA(cudaSetDevice(device));
  MOOREA_CUDA(cudaMemGetInfo(&available, &whole));
  facts.memory = whole;
  facts.cores = clock_of(device, cuda::nvml_clock_sm, cudaDevAttrClockRate);
  facts.memory_clock = clock_of(device, cuda::nvml_clock_memory, cudaDevAttrMemoryClockRate);
  return facts;
}

}  // namespace moorea
