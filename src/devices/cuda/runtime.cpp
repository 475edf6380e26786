// SPDX-License-Identifier: MIT
#include "devices/cuda/runtime.h"

#include <fmt/core.h>

#include <string_view>

#include "model/memory.h"
#include "moorea/error.h"

namespace moorea::cuda {
namespace {

const char* advice(cudaError_t error) {
  switch (error) {
    case cudaErrorMemoryAllocation:
      return "the device's memory is full: choose a smaller world, bands out of core, or the device cpu";
    case cudaErrorLaunchTimeout:
      return "the system stopped a kernel that ran for too long, as it does on a GPU that drives a display";
    case cudaErrorInsufficientDriver:
      return "the driver is older than this program's CUDA: install a newer driver, or choose the device cpu";
    case cudaErrorDevicesUnavailable:
      return "another program holds the device: wait for it, or choose another device";
    default:
      return "the device is lost to this program: run it again; nothing was written";
  }
}

}  // namespace

void check(cudaError_t result, const char* call, const char* file, int line) {
  if (result == cudaSuccess) return;
  const std::string_view path = file;
  cudaGetLastError();  // clear the error, because the exception reports it
  throw Error(
      fmt::format("CUDA: {} ({}) in {}, {}:{}; {}", cudaGetErrorString(result), cudaGetErrorName(result),
                  call, path.substr(path.rfind('/') + 1), line, advice(result)),
      result == cudaErrorMemoryAllocation ? ErrorKind::memory : ErrorKind::run);
}

DeviceMemory::DeviceMemory(std::size_t bytes) {
  void* memory = nullptr;
  const cudaError_t result = cudaMalloc(&memory, bytes == 0 ? 1 : bytes);
  if (result == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // clear the error, which is handled here
    std::size_t available = 0, whole = 0;
    MOOREA_CUDA(cudaMemGetInfo(&available, &whole));
    throw Error(
        fmt::format("{} of the GPU's memory are needed, {} of {} are available",
                    human_bytes(static_cast<double>(bytes)), human_bytes(static_cast<double>(available)),
                    human_bytes(static_cast<double>(whole))),
        ErrorKind::memory);
  }
  MOOREA_CUDA(result);
  data_ = static_cast<std::byte*>(memory);
  MOOREA_CUDA(cudaMemset(data_, 0, bytes));
  MOOREA_CUDA(cudaStreamSynchronize(nullptr));  // boards' streams do not wait for the default stream
}

DeviceMemory::~DeviceMemory() { cudaFree(data_); }

Stream::Stream(bool urgent) {
  int lowest = 0, highest = 0;
  MOOREA_CUDA(cudaDeviceGetStreamPriorityRange(&lowest, &highest));
  MOOREA_CUDA(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, urgent ? highest : lowest));
}
Stream::~Stream() { cudaStreamDestroy(stream_); }
void Stream::wait() const { MOOREA_CUDA(cudaStreamSynchronize(stream_)); }

Event::Event() { MOOREA_CUDA(cudaEventCreate(&event_)); }
void Event::wait() const { MOOREA_CUDA(cudaEventSynchronize(event_)); }
bool Event::is_reached() const {
  const cudaError_t result = cudaEventQuery(event_);
  if (result == cudaErrorNotReady) return false;
  MOOREA_CUDA(result);
  return true;
}
Event::~Event() { cudaEventDestroy(event_); }

}  // namespace moorea::cuda
