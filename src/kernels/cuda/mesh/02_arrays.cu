// SPDX-License-Identifier: MIT
// An array for each neighbour, a structure of arrays: the threads of a warp read adjacent entries. The cells
// of the neighbours come from the caches, if faces with near numbers are near each other.
#include <cstdint>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cuda/mesh/faces.cuh"

// `most` is the number of arrays if that is known at compile time, so that all entries are loaded at once.
template <int most>
__global__ void step_faces(const std::uint8_t* __restrict__ from, std::uint8_t* __restrict__ to,
                           MeshTables tables, RuleMask rule) {
  const Face i = face_of_thread();
  if (i >= tables.faces) return;
  unsigned neighbours = 0;
  const int number = most != 0 ? most : tables.most_neighbours;
#pragma unroll
  for (int k = 0; k < number; ++k) neighbours += from[tables.neighbours[k * tables.pitch + i]];
  to[i] = static_cast<std::uint8_t>(next_face(from[i], neighbours, rule));
}

using StepFaces = void (*)(const std::uint8_t*, std::uint8_t*, MeshTables, RuleMask);

StepFaces step_for(const MeshTables& tables) {
  return tables.most_neighbours == 8    ? step_faces<8>
         : tables.most_neighbours == 12 ? step_faces<12>
                                        : step_faces<0>;
}

DeviceFunction device_function(const Block&, const Launch& how) {
  return {reinterpret_cast<const void*>(step_for(*how.mesh)), how.block.width};
}

void launch(const Block& block, const Launch& how) {
  const MeshTables& tables = *how.mesh;
  step_for(tables)<<<blocks_for(tables.faces, how.block.width), static_cast<unsigned>(how.block.width), 0,
                     static_cast<cudaStream_t>(how.stream)>>>(
      static_cast<const std::uint8_t*>(block.from), static_cast<std::uint8_t*>(block.to), tables, block.rule);
}

CudaBinding bind(RuleMask) { return {.launch = launch, .device_function = device_function}; }

}  // namespace

extern const Kernel cuda_mesh_02_arrays;
constexpr Kernel cuda_mesh_02_arrays = {
    .summary = "mesh: an array for each neighbour",
    .layout = Layout::faces,
    .max_steps = 1,
    .supports = {.surface = true},
    .contract = CudaContract{.bind = bind, .block = {256, 1}, .wraps = true, .mesh = MeshTable::arrays},
};

}  // namespace moorea::kernels
