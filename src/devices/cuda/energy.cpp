// SPDX-License-Identifier: MIT
#include "devices/cuda.h"
#include "devices/cuda/nvml.h"

namespace moorea {

std::optional<double> gpu_energy(int device) {
  const cuda::NvmlDevice handle = cuda::nvml_device(device);
  unsigned long long millijoules = 0;
  if (handle == nullptr || cuda::nvml().energy == nullptr ||
      cuda::nvml().energy(handle, &millijoules) != cuda::nvml_success)
    return std::nullopt;
  return static_cast<double>(millijoules) / 1000;
}

}  // namespace moorea
