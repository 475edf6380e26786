// SPDX-License-Identifier: MIT
// 2 x 2 cells per thread by one look-up, as in cuda/ladder/lut_bytes.cuh, with the index assembled from
// shared memory: the threads of a block first load its cells and a halo of one together, 34 x 34 cells for 16
// x 16 threads and 66 x 66 for 32 x 32. The halo is 12.9 % of the cells of the smaller tile and 6.3 % of
// those of the larger one. Include inside an unnamed namespace, after <map> and <mutex>.
#ifndef MOOREA_KERNELS_STEP_LUT_SHARED_CUDA_H
#define MOOREA_KERNELS_STEP_LUT_SHARED_CUDA_H

#include "kernels/cuda/ladder/cells.cuh"
#include "kernels/cuda/ladder/lut.cuh"
#include "kernels/cuda/ladder/two_by_two.cuh"

extern __shared__ std::uint8_t tile[];  // the block's cells with a halo of one

__global__ void step_by_table_shared(Block block, const std::uint8_t* table) {
  const unsigned pitch = 2 * blockDim.x + 2, tile_cells = pitch * (2 * blockDim.y + 2);
  const std::int64_t left = 2 * first_column(), top = 2 * first_row();
  const std::int64_t x = left + 2 * threadIdx.x, y = top + 2 * threadIdx.y;
  const auto* from = static_cast<const std::uint8_t*>(block.from);

  const unsigned threads = blockDim.x * blockDim.y;
  for (unsigned i = threadIdx.y * blockDim.x + threadIdx.x; i < tile_cells; i += threads) {
    const std::int64_t column = left + i % pitch - 1, row = top + i / pitch - 1;
    // Beyond the world's halo, which is one cell wide, cells are dead: they are part of indices, but no
    // stored cell depends on them
    tile[i] = column <= block.width && row <= block.height ? from[row * block.pitch + column] : 0;
  }
  __syncthreads();  // the tile is complete
  if (x >= block.width || y >= block.height) return;

  unsigned index = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const std::uint8_t* row = tile + (2 * threadIdx.y + i) * pitch + 2 * threadIdx.x;
    const unsigned cells = row[0] | row[1] << 1 | row[2] << 2 | row[3] << 3;
    index |= cells << (4 * i);
  }
  const unsigned next = table[index];

  store_two_by_two(block, x, y, next);
}

static DeviceFunction function_by_table_shared(const Block&, const Launch& how) {
  const int width = how.block.width, height = how.block.height;
  const auto tile_bytes = static_cast<std::size_t>((2 * width + 2) * (2 * height + 2));
  return {reinterpret_cast<const void*>(step_by_table_shared), width * height, tile_bytes};
}

static void launch_by_table_shared(const Block& block, const Launch& how) {
  const auto stream = static_cast<cudaStream_t>(how.stream);
  const std::uint8_t* table = lookup_table(block.rule, stream);
  if (table == nullptr) return;  // the device's last error gives the reason
  const dim3 threads = threads_of(how.block), grid = grid_of_two_by_two(block, threads);
  const std::size_t tile_bytes = function_by_table_shared(block, how).shared_bytes;
  step_by_table_shared<<<grid, threads, tile_bytes, stream>>>(block, table);
}

#endif
