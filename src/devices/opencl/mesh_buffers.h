// SPDX-License-Identifier: MIT
// Neighbour tables of meshes in an OpenCL device's memory.
#pragma once

#include <cstddef>
#include <functional>

#include "devices/opencl/runtime.h"
#include "kernels/kernel.h"
#include "meshes/layout.h"

namespace moorea::opencl {

/// Buffers of the arrays of MeshTables, and the figures that kernels receive with them.
struct MeshBuffers {
  using Copy = std::function<Memory(const void* data, std::size_t bytes)>;

  /// `copy` makes a buffer with these contents; empty arrays become buffers of four bytes.
  MeshBuffers(const MeshLayout& layout, kernels::MeshTable table, const Copy& copy);

  kernels::MeshTable table;
  kernels::MeshTables tables;  ///< figures alone, its addresses are null
  double bytes_per_pass = 0;
  Memory numbers;  ///< of the world's cells
  Memory begins, neighbours;
  Memory patterns, regular, distances, first_exceptions, exception_faces, exception_neighbours;
};

}  // namespace moorea::opencl
