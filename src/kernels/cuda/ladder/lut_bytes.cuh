// SPDX-License-Identifier: MIT
// 2 x 2 cells at a time by one look-up: the 4 x 4 cells around them are an index of 16 bits, and a table of
// 65,536 entries, computed from the rule, holds the four next states. No counting, and four loads per cell
// instead of nine; the price is a table of 64 KiB that competes with the cells for the L1 cache, accessed at
// random. Include inside an unnamed namespace, after <map> and <mutex>.
#ifndef MOOREA_KERNELS_STEP_LUT_BYTES_CUDA_H
#define MOOREA_KERNELS_STEP_LUT_BYTES_CUDA_H

#include "kernels/cuda/ladder/cells.cuh"
#include "kernels/cuda/ladder/lut.cuh"
#include "kernels/cuda/ladder/two_by_two.cuh"

__global__ void step_by_table(Block block, const std::uint8_t* table) {
  const std::int64_t x = 2 * (first_column() + threadIdx.x), y = 2 * (first_row() + threadIdx.y);
  if (x >= block.width || y >= block.height) return;
  const auto* from = static_cast<const std::uint8_t*>(block.from);
  // In the last row or column of an odd number the fourth cell would lie outside the halo; no stored cell
  // depends on it
  const std::int64_t last_column = x + 2 <= block.width ? x + 2 : block.width;
  const std::int64_t last_row = y + 2 <= block.height ? y + 2 : block.height;

  unsigned index = 0;
  for (int i = 0; i < 4; ++i) {
    const std::uint8_t* row = from + (i < 3 ? y - 1 + i : last_row) * block.pitch;
    const unsigned cells = row[x - 1] | row[x] << 1 | row[x + 1] << 2 | row[last_column] << 3;
    index |= cells << (4 * i);
  }
  const unsigned next = table[index];

  store_two_by_two(block, x, y, next);
}

static DeviceFunction function_by_table(const Block&, const Launch& how) {
  return {reinterpret_cast<const void*>(step_by_table), how.block.width * how.block.height};
}

static void launch_by_table(const Block& block, const Launch& how) {
  const auto stream = static_cast<cudaStream_t>(how.stream);
  const std::uint8_t* table = lookup_table(block.rule, stream);
  if (table == nullptr) return;  // the device's last error gives the reason
  const dim3 threads = threads_of(how.block);
  step_by_table<<<grid_of_two_by_two(block, threads), threads, 0, stream>>>(block, table);
}

#endif
