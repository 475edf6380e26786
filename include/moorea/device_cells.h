// SPDX-License-Identifier: MIT
// Cells in a GPU's memory that outlive the simulation, for libraries that compute on GPUs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "moorea/box.h"
#include "moorea/device.h"
#include "moorea/grid.h"
#include "moorea/simulation.h"

#pragma GCC visibility push(default)
namespace moorea {

/// A copy of cells in the memory of a CUDA device. Copies of this object share the memory, which is freed
/// with the last of them, in any thread. The copy is complete: no stream needs to wait for it.
struct DeviceCells {
  std::shared_ptr<void> memory;  ///< row 0, an address of the device
  std::int64_t bytes_per_row = 0;
  Size size;  ///< cells
  DeviceRef device;
};

/// Copies all cells, packed as DeviceView. Throws Error (unavailable) if the world is not on a CUDA device,
/// Error (memory) if the device's memory does not suffice.
DeviceCells copy_packed_cells(const Simulation& simulation);

/// Copies the cells inside `box`, in the cells' coordinates, as one byte each, 0 or 1, row by row without
/// gaps; cells outside the world are dead. Throws Error (usage) for an empty box or one beyond
/// max_coordinate, Error (unavailable) if the world is not on a CUDA device, Error (memory) if the device's
/// memory does not suffice.
DeviceCells copy_byte_cells(const Simulation& simulation, const Box& box);

/// Bytes in the memory of a CUDA device, as ConstByteView.
struct DeviceBytes {
  const std::uint8_t* cells = nullptr;  ///< an address of the device
  std::ptrdiff_t row_stride = 0;
  std::ptrdiff_t column_stride = 1;
  Size size;
  DeviceRef device;
  void* stream = nullptr;  ///< the cudaStream_t that writes them; null: the legacy default stream
};

/// Packs bytes on their device and copies the result, an eighth of the bytes, to main memory; waits for the
/// work that is in `stream`. Throws Error (unavailable) in a build without CUDA.
Grid pack_device_cells(const DeviceBytes& bytes);

/// Restores the calling thread's current CUDA device when it is destroyed: simulations on a CUDA device make
/// theirs the current one. Does nothing in a build without CUDA.
class KeepsCudaDevice {
 public:
  explicit KeepsCudaDevice(bool active = true);
  KeepsCudaDevice(const KeepsCudaDevice&) = delete;
  KeepsCudaDevice& operator=(const KeepsCudaDevice&) = delete;
  ~KeepsCudaDevice();

 private:
  int device_ = -1;  // -1: not known
};

}  // namespace moorea
#pragma GCC visibility pop
