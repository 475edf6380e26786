// SPDX-License-Identifier: MIT
// NVML comes with the driver, its header with a separate package, so the three functions needed are declared
// here as in NVIDIA's NVML API reference. NVML numbers GPUs in its own order: they are identified by their
// PCI bus id.
#include <cuda_runtime_api.h>

#include "devices/cuda.h"
#include "devices/shared_library.h"

namespace moorea {
namespace {

using Device = struct nvmlDevice_st*;
constexpr int success = 0;

struct Nvml {
  int (*init)() = nullptr;
  int (*device_at)(const char* place, Device* device) = nullptr;
  int (*energy)(Device device, unsigned long long* millijoules) = nullptr;
  bool works = false;
};

Nvml open_nvml() {
  Nvml nvml;
  const SharedLibrary library({"libnvidia-ml.so.1"});
  nvml.works = library.is_open() && library.find("nvmlInit_v2", nvml.init) &&
               library.find("nvmlDeviceGetHandleByPciBusId_v2", nvml.device_at) &&
               library.find("nvmlDeviceGetTotalEnergyConsumption", nvml.energy) && nvml.init() == success;
  return nvml;
}

}  // namespace

std::optional<double> gpu_energy(int device) {
  static const Nvml nvml = open_nvml();
  char place[32] = "";
  Device handle = nullptr;
  unsigned long long millijoules = 0;
  if (!nvml.works || cudaDeviceGetPCIBusId(place, sizeof place, device) != cudaSuccess ||
      nvml.device_at(place, &handle) != success || nvml.energy(handle, &millijoules) != success) {
    return std::nullopt;
  }
  return static_cast<double>(millijoules) / 1000;
}

}  // namespace moorea
