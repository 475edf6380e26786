// SPDX-License-Identifier: MIT
// Quads in rows and columns store the neighbours across their four edges; a corner neighbour is found in two
// steps, as the upper neighbour of the right one. Half the table of cuda/mesh/02_arrays is read from memory
// in order, and the entries of the second steps from the caches.
#include <cstdint>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cuda/mesh/faces.cuh"

__global__ void step_faces(const std::uint8_t* __restrict__ from, std::uint8_t* __restrict__ to,
                           MeshTables tables, RuleMask rule) {
  const Face i = face_of_thread();
  if (i >= tables.faces) return;
  const Face *right_of = tables.neighbours, *left_of = right_of + tables.pitch,
             *above_of = left_of + tables.pitch, *below_of = above_of + tables.pitch;
  const Face right = right_of[i], left = left_of[i];
  const unsigned neighbours = from[right] + from[left] + from[above_of[i]] + from[below_of[i]] +
                              from[above_of[right]] + from[below_of[right]] + from[above_of[left]] +
                              from[below_of[left]];
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

extern const Kernel cuda_mesh_04_two_steps;
constexpr Kernel cuda_mesh_04_two_steps = {
    .summary = "mesh: the neighbours across four edges, corners found in two steps",
    .layout = Layout::faces,
    .max_steps = 1,
    .supports = {.surface = true},
    .contract = CudaContract{.bind = bind, .block = {256, 1}, .wraps = true, .mesh = MeshTable::edges},
};

}  // namespace moorea::kernels
