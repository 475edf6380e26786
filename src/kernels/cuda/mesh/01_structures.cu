// SPDX-License-Identifier: MIT
// The neighbours of a face together, as an array of structures: an index leads to the first of them. The
// threads of a warp read entries that lie a structure apart, so that each load touches many cache lines.
#include <cstdint>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cuda/mesh/faces.cuh"

__global__ void step_faces(const std::uint8_t* __restrict__ from, std::uint8_t* __restrict__ to,
                           MeshTables tables, RuleMask rule) {
  const Face i = face_of_thread();
  if (i >= tables.faces) return;
  unsigned neighbours = 0;
  for (std::uint32_t k = tables.begins[i]; k < tables.begins[i + 1]; ++k)
    neighbours += from[tables.neighbours[k]];
  to[i] = static_cast<std::uint8_t>(next_face(from[i], neighbours, rule));
}

DeviceFunction device_function(const Block&, const Launch& how) {
  return {reinterpret_cast<const void*>(step_faces), how.block.width};
}

void launch(const Block& block, const Launch& how) {
  const MeshTables& tables = *how.mesh;
  step_faces<<<blocks_for(tables.faces, how.block.width), static_cast<unsigned>(how.block.width), 0,
               static_cast<cudaStream_t>(how.stream)>>>(
      static_cast<const std::uint8_t*>(block.from), static_cast<std::uint8_t*>(block.to), tables, block.rule);
}

CudaBinding bind(RuleMask) { return {.launch = launch, .device_function = device_function}; }

}  // namespace

extern const Kernel cuda_mesh_01_structures;
constexpr Kernel cuda_mesh_01_structures = {
    .summary = "mesh: the neighbours of a face together, found through an index",
    .layout = Layout::faces,
    .max_steps = 1,
    .supports = {.surface = true},
    .contract = CudaContract{.bind = bind, .block = {256, 1}, .wraps = true, .mesh = MeshTable::structures},
};

}  // namespace moorea::kernels
