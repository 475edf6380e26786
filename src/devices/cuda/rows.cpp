// SPDX-License-Identifier: MIT
#include "devices/cuda_rows.h"

#include <cstring>

#include "devices/cuda/runtime.h"

namespace moorea {
namespace cuda {
namespace {

// Page-locked memory, from which copies run at the bus's full rate.
class PinnedMemory {
 public:
  PinnedMemory() = default;
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;
  ~PinnedMemory() { cudaFreeHost(data_); }

  std::byte* at_least(std::size_t bytes) {
    if (bytes > bytes_) {
      cudaFreeHost(std::exchange(data_, nullptr));
      bytes_ = 0;
      void* memory = nullptr;
      MOOREA_CUDA(cudaMallocHost(&memory, bytes));
      data_ = static_cast<std::byte*>(memory);
      bytes_ = bytes;
    }
    return data_;
  }

 private:
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

// Makes the device of this view the calling thread's, before the stream is created on it.
const DeviceView& on_its_device(const DeviceView& view) {
  MOOREA_CUDA(cudaSetDevice(view.device.index));
  return view;
}

class PackedGpuRows final : public GpuRows {
 public:
  explicit PackedGpuRows(const DeviceView& view) : view_(on_its_device(view)) {}

  void read(std::int64_t first, const GridView& to) override {
    const auto pitch = static_cast<std::size_t>(view_.bytes_per_row);
    const std::size_t bytes = pitch * static_cast<std::size_t>(to.height);
    std::byte* const rows = staging_.at_least(bytes);
    const auto* const cells =
        reinterpret_cast<const std::byte*>(view_.words) + pitch * static_cast<std::size_t>(first);
    MOOREA_CUDA(cudaMemcpyAsync(rows, cells, bytes, cudaMemcpyDeviceToHost, stream_));
    stream_.wait();
    const std::size_t row_bytes = static_cast<std::size_t>((to.width + 31) / 32) * 4;
    for (std::int64_t y = 0; y < to.height; ++y) {
      const std::span<std::uint64_t> row = to.row(y);
      row.back() = 0;  // its upper half may lie beyond the view's 32-bit words
      std::memcpy(row.data(), rows + pitch * static_cast<std::size_t>(y), row_bytes);
    }
  }

 private:
  DeviceView view_;
  Stream stream_;
  PinnedMemory staging_;
};

}  // namespace
}  // namespace cuda

std::unique_ptr<GpuRows> make_gpu_rows(const DeviceView& view) {
  return std::make_unique<cuda::PackedGpuRows>(view);
}

}  // namespace moorea
