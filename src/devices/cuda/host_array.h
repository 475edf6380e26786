// SPDX-License-Identifier: MIT
// Page-locked memory of the host. Copies from and to other memory wait for each other, even if they are those
// of different threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "devices/cuda.h"

namespace moorea::cuda {

template <class T>
class HostArray {
 public:
  HostArray() = default;
  HostArray(int device, std::size_t count)
      : count_(count), memory_(count == 0 ? nullptr : gpu_host_memory(device, (count * sizeof(T) + 7) / 8)) {}
  T* data() const { return reinterpret_cast<T*>(memory_.get()); }
  std::size_t size() const { return count_; }
  std::size_t bytes() const { return count_ * sizeof(T); }
  std::span<const T> all() const { return {data(), count_}; }

 private:
  std::size_t count_ = 0;
  std::shared_ptr<std::uint64_t[]> memory_;
};

}  // namespace moorea::cuda
