// SPDX-License-Identifier: MIT
// Blocks of 2 x 2 cells in bytes, one per thread: their grid and their store. Include inside an unnamed
// namespace, after cuda/ladder/cells.cuh.
#ifndef MOOREA_KERNELS_STEP_TWO_BY_TWO_CUDA_H
#define MOOREA_KERNELS_STEP_TWO_BY_TWO_CUDA_H

static inline dim3 grid_of_two_by_two(const Block& block, const dim3& threads) {
  return grid_of((block.width + 1) / 2, (block.height + 1) / 2, threads);
}

// Stores the cells (x, y) to (x + 1, y + 1) that are in the world; bit 2 * row + column of `next` is a cell.
static __device__ inline void store_two_by_two(const Block& block, std::int64_t x, std::int64_t y,
                                               unsigned next) {
  auto* to = static_cast<std::uint8_t*>(block.to) + y * block.pitch + x;
  const bool right = x + 1 < block.width, below = y + 1 < block.height;
  to[0] = next & 1u;
  if (right) to[1] = next >> 1 & 1u;
  if (below) to[block.pitch] = next >> 2 & 1u;
  if (right && below) to[block.pitch + 1] = next >> 3 & 1u;
}

#endif
