// SPDX-License-Identifier: MIT
// As cuda/mesh/02_arrays; in addition a block copies the cells of its own faces into shared memory, where
// neighbours within the block are read. It helps if most neighbours of a face have numbers near its own, and
// costs a comparison per neighbour.
#include <cstdint>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cuda/mesh/faces.cuh"

constexpr int most_threads = 1024;

__global__ void step_faces(const std::uint8_t* __restrict__ from, std::uint8_t* __restrict__ to,
                           MeshTables tables, RuleMask rule) {
  __shared__ std::uint8_t tile[most_threads];
  const Face i = face_of_thread(), first = blockIdx.x * blockDim.x;
  if (i < tables.faces) tile[threadIdx.x] = from[i];
  __syncthreads();
  if (i >= tables.faces) return;
  unsigned neighbours = 0;
  for (int k = 0; k < tables.most_neighbours; ++k) {
    const Face face = tables.neighbours[k * tables.pitch + i];
    const Face in_tile = face - first;
    neighbours += in_tile < blockDim.x && face < tables.faces ? tile[in_tile] : from[face];
  }
  to[i] = static_cast<std::uint8_t>(next_face(tile[threadIdx.x], neighbours, rule));
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

extern const Kernel cuda_mesh_03_arrays_shared;
constexpr Kernel cuda_mesh_03_arrays_shared = {
    .summary = "mesh: an array for each neighbour, the block's own cells in shared memory",
    .layout = Layout::faces,
    .max_steps = 1,
    .supports = {.surface = true},
    .contract = CudaContract{.bind = bind, .block = {256, 1}, .wraps = true, .mesh = MeshTable::arrays},
};

}  // namespace moorea::kernels
