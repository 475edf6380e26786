// SPDX-License-Identifier: MIT
// 32 x 32 threads make 32 x 32 cells, and first load the 34 x 34 that these depend on into shared memory
// together: each cell of the world is read about once by a block instead of nine times. What it costs is a
// barrier, and that the 132 cells of the edge are read by two blocks or more. Expect it to win where reads
// through the first-level cache are the limit; since that cache lies in the same memory, by little or not at
// all.
#include <cstdint>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cuda/ladder/cells.cuh"

extern __shared__ std::uint8_t tile[];  // the block's cells and one more on each side

__global__ void step_tile(Block block) {
  const unsigned pitch = blockDim.x + 2, tile_cells = pitch * (blockDim.y + 2);
  const std::int64_t left = first_column(), top = first_row();
  const std::int64_t x = left + threadIdx.x, y = top + threadIdx.y;
  const auto* from = static_cast<const std::uint8_t*>(block.from);

  const unsigned threads = blockDim.x * blockDim.y;
  for (unsigned i = threadIdx.y * blockDim.x + threadIdx.x; i < tile_cells; i += threads) {
    const std::int64_t column = left + i % pitch - 1, row = top + i / pitch - 1;
    // Blocks at the world's right and lower edges hang over; the halo is one cell wide
    if (column <= block.width && row <= block.height) tile[i] = from[row * block.pitch + column];
  }
  __syncthreads();  // the tile is complete
  if (x >= block.width || y >= block.height) return;
  const std::uint8_t* at = tile + (threadIdx.y + 1) * pitch + threadIdx.x + 1;
  const unsigned next = next_cell(*at, live_neighbours(at, pitch), block.rule);

  static_cast<std::uint8_t*>(block.to)[y * block.pitch + x] = static_cast<std::uint8_t>(next);
}

DeviceFunction device_function(const Block&, const Launch& how) {
  const int width = how.block.width, height = how.block.height;
  const auto tile_bytes = static_cast<std::size_t>((width + 2) * (height + 2));
  return {reinterpret_cast<const void*>(step_tile), width * height, tile_bytes};
}

void launch(const Block& block, const Launch& how) {
  const dim3 threads = threads_of(how.block), grid = grid_of(block.width, block.height, threads);
  const std::size_t tile_bytes = device_function(block, how).shared_bytes;
  step_tile<<<grid, threads, tile_bytes, static_cast<cudaStream_t>(how.stream)>>>(block);
}

Binding bind(RuleMask, const DeviceTraits& device) {
  Binding binding;
  binding.refusal = device.no_cuda();
  binding.launch = launch;
  binding.device_function = device_function;
  return binding;
}

}  // namespace

extern const Kernel cuda_ladder_04_shared = {
    .summary = "ladder: blocks load their cells and a halo into shared memory together",
    .layout = Layout::bytes,
    .max_steps = 1,
    .bind = bind,
    .block = {32, 32},
};

}  // namespace moorea::kernels
