// SPDX-License-Identifier: MIT
// 32 x 32 threads compute 32 x 32 cells, and first load the required 34 x 34 cells into shared memory
// together: a block reads each cell about once instead of nine times. The price is a barrier, and that two or
// more blocks read the 132 cells of the edge. Expect a gain if reads through the L1 cache are the limit; a
// small one or none, since that cache is the same memory.
#include <cstdint>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cuda/ladder/cells.cuh"

extern __shared__ std::uint8_t tile[];  // the block's cells with a halo of one

__global__ void step_tile(Block block) {
  const unsigned pitch = blockDim.x + 2, tile_cells = pitch * (blockDim.y + 2);
  const std::int64_t left = first_column(), top = first_row();
  const std::int64_t x = left + threadIdx.x, y = top + threadIdx.y;
  const auto* from = static_cast<const std::uint8_t*>(block.from);

  const unsigned threads = blockDim.x * blockDim.y;
  for (unsigned i = threadIdx.y * blockDim.x + threadIdx.x; i < tile_cells; i += threads) {
    const std::int64_t column = left + i % pitch - 1, row = top + i / pitch - 1;
    // Blocks at the world's right and lower edges extend beyond it; the halo is one cell wide
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

CudaBinding bind(RuleMask) { return {.launch = launch, .device_function = device_function}; }

}  // namespace

extern const Kernel cuda_ladder_04_shared;
constexpr Kernel cuda_ladder_04_shared = {
    .summary = "ladder: blocks load their cells and a halo into shared memory together",
    .layout = Layout::bytes,
    .max_steps = 1,
    .contract = CudaContract{.bind = bind, .block = {32, 32}},
};

}  // namespace moorea::kernels
