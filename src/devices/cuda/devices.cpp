// SPDX-License-Identifier: MIT
// Enumeration of GPUs, or the reason why there is none.
#include <cuda_runtime_api.h>
#include <fmt/core.h>

#include <string>

#include "devices/cuda.h"
#include "devices/cuda/runtime.h"

namespace moorea {
namespace {

struct Found {
  int count = 0;
  std::string reason;  // why there is none
};

const Found& found() {
  static const Found found = [] {
    Found result;
    int driver = 0;
    if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) {
      result.reason = "this machine has no NVIDIA driver (libcuda.so.1)";
      return result;
    }
    const cudaError_t error = cudaGetDeviceCount(&result.count);
    if (error != cudaSuccess) {
      result.count = 0;
      result.reason =
          fmt::format("CUDA finds no GPU: {} ({})", cudaGetErrorString(error), cudaGetErrorName(error));
      cudaGetLastError();
    } else if (result.count == 0) {
      result.reason = "this machine has no NVIDIA GPU";
    }
    return result;
  }();
  return found;
}

}  // namespace

const char* cuda_unavailable_reason() { return found().count > 0 ? nullptr : found().reason.c_str(); }

std::vector<DeviceInfo> list_gpus() {
  std::vector<DeviceInfo> devices;
  for (int i = 0; i < found().count; ++i) {
    cudaDeviceProp properties;
    MOOREA_CUDA(cudaGetDeviceProperties(&properties, i));
    MOOREA_CUDA(cudaSetDevice(i));
    std::size_t available = 0, whole = 0;
    MOOREA_CUDA(cudaMemGetInfo(&available, &whole));
    devices.push_back({fmt::format("cuda:{}", i),
                       fmt::format("{}, compute capability {}.{}, {} multiprocessors", properties.name,
                                   properties.major, properties.minor, properties.multiProcessorCount),
                       properties.multiProcessorCount * properties.maxThreadsPerMultiProcessor, available});
  }
  return devices;
}

bool gpu_in_main_memory(int device) {
  int integrated = 0;
  MOOREA_CUDA(cudaDeviceGetAttribute(&integrated, cudaDevAttrIntegrated, device));
  return integrated != 0;
}

}  // namespace moorea
