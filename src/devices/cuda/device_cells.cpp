// SPDX-License-Identifier: MIT
// Copies of a world's cells for other libraries. Memory comes from cudaMalloc(), whose cudaFree() waits for
// the device: a consumer's work that still reads the copy is not disturbed.
#include "moorea/device_cells.h"

#include <fmt/core.h>

#include "devices/cuda/byte_cells.h"
#include "devices/cuda/runtime.h"
#include "model/coordinates.h"
#include "moorea/error.h"

namespace moorea {
namespace {

// The board's own allocations advise smaller worlds; here the world is there and the copy is not.
std::shared_ptr<void> device_memory(int device, std::size_t bytes) {
  void* memory = nullptr;
  const cudaError_t result = cudaMalloc(&memory, bytes);
  if (result == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // clear the error, which is handled here
    throw Error(fmt::format("a copy of the cells needs {} bytes of the memory of cuda:{}, which are not "
                            "available; copy a part of the world",
                            bytes, device),
                ErrorKind::memory);
  }
  MOOREA_CUDA(result);
  return {memory, [device](void* first) {
            const KeepsCudaDevice keeps;
            cudaSetDevice(device);
            cudaFree(first);
          }};
}

void wait_for(void* stream) { MOOREA_CUDA(cudaStreamSynchronize(static_cast<cudaStream_t>(stream))); }

}  // namespace

KeepsCudaDevice::KeepsCudaDevice(bool active) {
  if (active && cudaGetDevice(&device_) != cudaSuccess) device_ = -1;
}

KeepsCudaDevice::~KeepsCudaDevice() {
  if (device_ >= 0) cudaSetDevice(device_);
}

DeviceCells copy_packed_cells(const Simulation& simulation) {
  const KeepsCudaDevice keeps;
  const DeviceView view = simulation.device_cells();
  MOOREA_CUDA(cudaSetDevice(view.device.index));
  const auto bytes = static_cast<std::size_t>(view.bytes_per_row * view.size.height);
  DeviceCells copy{device_memory(view.device.index, bytes), view.bytes_per_row, view.size, view.device};
  const auto stream = static_cast<cudaStream_t>(view.stream);
  MOOREA_CUDA(cudaMemcpyAsync(copy.memory.get(), view.words, bytes, cudaMemcpyDeviceToDevice, stream));
  wait_for(stream);
  return copy;
}

DeviceCells copy_byte_cells(const Simulation& simulation, const Box& box) {
  require_box(box, "cells");
  if (box.empty()) throw Error("a copy of no cells", ErrorKind::usage);
  const KeepsCudaDevice keeps;
  const DeviceView view = simulation.device_cells();
  MOOREA_CUDA(cudaSetDevice(view.device.index));
  // The last store of unpack_bytes() may be longer
  const double area = box.area() + 16;
  if (area > 1e18) throw Error("a copy of more than 10^18 cells", ErrorKind::memory);
  DeviceCells copy{device_memory(view.device.index, static_cast<std::size_t>(box.width * box.height) + 16),
                   box.width, box.size(), view.device};
  const Position origin = simulation.origin();
  cuda::unpack_bytes(view, box.translated(-origin), static_cast<std::uint8_t*>(copy.memory.get()),
                     static_cast<cudaStream_t>(view.stream));
  MOOREA_CUDA(cudaGetLastError());
  wait_for(view.stream);
  return copy;
}

Grid pack_device_cells(const DeviceBytes& bytes) {
  Grid grid(bytes.size.width, bytes.size.height);
  if (grid.empty()) return grid;
  const KeepsCudaDevice keeps;
  MOOREA_CUDA(cudaSetDevice(bytes.device.index));
  const auto stream = static_cast<cudaStream_t>(bytes.stream);
  const std::int64_t words_per_row = 2 * grid.words_per_row();
  const auto size = static_cast<std::size_t>(4 * words_per_row * grid.height());
  const std::shared_ptr<void> packed = device_memory(bytes.device.index, size);
  cuda::pack_bytes(bytes, static_cast<std::uint32_t*>(packed.get()), words_per_row, stream);
  MOOREA_CUDA(cudaGetLastError());
  MOOREA_CUDA(cudaMemcpyAsync(grid.row(0), packed.get(), size, cudaMemcpyDeviceToHost, stream));
  wait_for(stream);
  return grid;
}

}  // namespace moorea
