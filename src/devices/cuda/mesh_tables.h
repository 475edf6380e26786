// SPDX-License-Identifier: MIT
// Neighbour tables of meshes in a GPU's memory.
#pragma once

#include <cstdint>
#include <vector>

#include "devices/cuda/runtime.h"
#include "kernels/kernel.h"
#include "meshes/layout.h"

namespace moorea::cuda {

class DeviceTables {
 public:
  /// Copies the tables of a layout to the current device.
  explicit DeviceTables(const MeshLayout& layout);

  const kernels::MeshTables& tables() const { return tables_; }
  double bytes_per_pass() const { return bytes_per_pass_; }
  /// As MeshLayout::numbers; null if a cell's number is its index.
  const std::uint32_t* numbers() const { return numbers_; }

 private:
  template <class T>
  const T* copied(const std::vector<T>& list);

  std::vector<DeviceMemory> memory_;
  kernels::MeshTables tables_;
  double bytes_per_pass_ = 0;
  const std::uint32_t* numbers_ = nullptr;
};

}  // namespace moorea::cuda
