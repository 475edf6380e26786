// SPDX-License-Identifier: MIT
// Patches of 4 x 4 cells, advanced by look-ups; shared by cuda/ladder/12 and 13. Include inside an unnamed
// namespace of a .cu file, after cuda/ladder/lut.cuh.
#ifndef MOOREA_KERNELS_STEP_PATCHES_CUDA_H
#define MOOREA_KERNELS_STEP_PATCHES_CUDA_H

using patch = std::uint16_t;

// Six cells of row `row` of three adjacent patches.
__device__ inline std::uint64_t six_cells(unsigned left, unsigned own, unsigned right, int row) {
  return (left >> (4 * row + 3) & 1u) | (own >> (4 * row) & 0xFu) << 1 | (right >> (4 * row) & 1u) << 5;
}

// Bit 6 * y + x is cell (x - 1, y - 1) of the patch that `own` points to; `pitch` is the number of patches
// per row.
__device__ inline std::uint64_t neighbourhood(const patch* own, std::ptrdiff_t pitch) {
  const patch *above = own - pitch, *below = own + pitch;
  std::uint64_t cells = six_cells(above[-1], above[0], above[1], 3);
  const unsigned left = own[-1], centre = own[0], right = own[1];
  for (int row = 0; row < 4; ++row) cells |= six_cells(left, centre, right, row) << (6 * row + 6);
  return cells | six_cells(below[-1], below[0], below[1], 0) << 30;
}

// Four look-ups, each of 4 x 4 of the 6 x 6 cells.
__device__ inline unsigned next_patch(std::uint64_t cells, const std::uint8_t* table) {
  unsigned next = 0;
  for (int y = 0; y < 4; y += 2) {
    for (int x = 0; x < 4; x += 2) {
      const std::uint64_t at = cells >> (6 * y + x);
      const auto index =
          static_cast<unsigned>((at & 0xF) | (at >> 2 & 0xF0) | (at >> 4 & 0xF00) | (at >> 6 & 0xF000));
      const unsigned four = __ldg(table + index);
      next |= ((four & 3u) | (four & 12u) << 2) << (4 * y + x);
    }
  }
  return next;
}

// One thread per patch.
inline dim3 grid_of_patches(const Block& block, const Launch& how) {
  constexpr std::int64_t maximum = 65535;  // of a grid's y
  const std::int64_t columns = (block.width + 3) / 4, rows = (block.height + 3) / 4;
  const std::int64_t across = (columns + how.block.width - 1) / how.block.width;
  const std::int64_t down = (rows + how.block.height - 1) / how.block.height;
  return {static_cast<unsigned>(across), static_cast<unsigned>(down < maximum ? down : maximum),
          static_cast<unsigned>((down + maximum - 1) / maximum)};
}

// First row of patches of the thread block.
__device__ inline std::int64_t first_row_of_block() {
  return (static_cast<std::int64_t>(blockIdx.y) + static_cast<std::int64_t>(gridDim.y) * blockIdx.z) *
         blockDim.y;
}

#endif
