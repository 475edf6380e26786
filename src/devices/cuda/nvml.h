// SPDX-License-Identifier: MIT
// NVML, NVIDIA's management library, which comes with the driver and is opened at first use. Its header
// comes with a separate package, so the functions needed are declared here as in NVIDIA's NVML API reference.
#pragma once

namespace moorea::cuda {

using NvmlDevice = struct nvmlDevice_st*;
constexpr int nvml_success = 0;
constexpr int nvml_clock_sm = 1, nvml_clock_memory = 2;

struct Nvml {
  bool works = false;  ///< whether it is initialised and finds devices; functions below may still be missing
  int (*energy)(NvmlDevice device, unsigned long long* millijoules) = nullptr;
  int (*driver_version)(char* text, unsigned size) = nullptr;
  int (*clock)(NvmlDevice device, int kind, unsigned* megahertz) = nullptr;
  int (*max_clock)(NvmlDevice device, int kind, unsigned* megahertz) = nullptr;

  // Use nvml_device()
  int (*init)() = nullptr;
  int (*device_at)(const char* place, NvmlDevice* device) = nullptr;
};

const Nvml& nvml();

/// NVML's handle of a CUDA device, or null. NVML numbers GPUs in its own order: they are identified by their
/// PCI bus id.
NvmlDevice nvml_device(int device);

}  // namespace moorea::cuda
