// SPDX-License-Identifier: MIT
#include "devices/cuda/nvml.h"

#include <cuda_runtime_api.h>

#include "devices/shared_library.h"

namespace moorea::cuda {
namespace {

Nvml open() {
  Nvml nvml;
  const SharedLibrary library({"libnvidia-ml.so.1"});
  if (!library.is_open()) return nvml;
  library.find("nvmlDeviceGetTotalEnergyConsumption", nvml.energy);
  library.find("nvmlSystemGetDriverVersion", nvml.driver_version);
  library.find("nvmlDeviceGetClockInfo", nvml.clock);
  library.find("nvmlDeviceGetMaxClockInfo", nvml.max_clock);
  nvml.works = library.find("nvmlInit_v2", nvml.init) &&
               library.find("nvmlDeviceGetHandleByPciBusId_v2", nvml.device_at) &&
               nvml.init() == nvml_success;
  return nvml;
}

}  // namespace

const Nvml& nvml() {
  static const Nvml opened = open();
  return opened;
}

NvmlDevice nvml_device(int device) {
  char place[32] = "";
  NvmlDevice handle = nullptr;
  if (!nvml().works || cudaDeviceGetPCIBusId(place, sizeof place, device) != cudaSuccess ||
      nvml().device_at(place, &handle) != nvml_success)
    return nullptr;
  return handle;
}

}  // namespace moorea::cuda
