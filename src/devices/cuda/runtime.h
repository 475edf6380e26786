// SPDX-License-Identifier: MIT
// CUDA's runtime with errors as exceptions and owned memory. The runtime is linked statically and loads the
// driver at first use, so a program starts without one.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace moorea::cuda {

/// Throws Error with the call, CUDA's name for the error, the position in the source, and a remedy.
void check(cudaError_t result, const char* call, const char* file, int line);
#define MOOREA_CUDA(call) ::moorea::cuda::check(call, #call, __FILE__, __LINE__)

/// Bytes of a device's memory, initialised to zero.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  /// Throws Error (memory) with the figures if there is not enough memory.
  explicit DeviceMemory(std::size_t bytes);
  DeviceMemory(DeviceMemory&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  DeviceMemory& operator=(DeviceMemory&& other) noexcept {
    std::swap(data_, other.data_);
    return *this;
  }
  ~DeviceMemory();
  std::byte* data() const { return data_; }
  template <class T>
  T* as() const {
    return reinterpret_cast<T*>(data_);
  }

 private:
  std::byte* data_ = nullptr;
};

class Stream {
 public:
  /// An urgent one is served before others on the device.
  explicit Stream(bool urgent = false);
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream();
  operator cudaStream_t() const { return stream_; }
  void wait() const;

 private:
  cudaStream_t stream_ = nullptr;
};

/// An event in a stream, to measure the time between two of them.
class Event {
 public:
  Event();
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event();
  operator cudaEvent_t() const { return event_; }
  /// Waits until the event is reached; returns at once if it was never recorded.
  void wait() const;
  bool is_reached() const;  ///< whether wait() would return at once

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace moorea::cuda
