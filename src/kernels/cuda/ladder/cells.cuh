// SPDX-License-Identifier: MIT
// Shared by CUDA kernels with a byte or an integer per cell: the position of a thread, the live neighbours
// and the next state of one cell. Include inside an unnamed namespace.
#ifndef MOOREA_KERNELS_STEP_CELLS_CUDA_H
#define MOOREA_KERNELS_STEP_CELLS_CUDA_H

// Maximum of a grid's y, in blocks; taller worlds use the layers of z.
constexpr std::int64_t max_block_rows = 65535;

// Grid with a thread for each of `columns` x `rows` positions.
[[maybe_unused]] static inline dim3 grid_of(std::int64_t columns, std::int64_t rows, const dim3& block) {
  const std::int64_t across = (columns + block.x - 1) / block.x, down = (rows + block.y - 1) / block.y;
  return dim3(static_cast<unsigned>(across),
              static_cast<unsigned>(down < max_block_rows ? down : max_block_rows),
              static_cast<unsigned>((down + max_block_rows - 1) / max_block_rows));
}

[[maybe_unused]] static inline dim3 threads_of(const BlockShape& block) {
  return dim3(static_cast<unsigned>(block.width), static_cast<unsigned>(block.height));
}

// Position of the first thread of a block of such a grid.
static __device__ inline std::int64_t first_column() {
  return static_cast<std::int64_t>(blockIdx.x) * blockDim.x;
}

static __device__ inline std::int64_t first_row() {
  return (static_cast<std::int64_t>(gridDim.y) * blockIdx.z + blockIdx.y) * blockDim.y;
}

// `pitch` is in cells.
template <class Cell>
static __device__ inline unsigned live_neighbours(const Cell* at, std::ptrdiff_t pitch) {
  const Cell *above = at - pitch, *below = at + pitch;
  return static_cast<unsigned>(above[-1] + above[0] + above[1] + at[-1] + at[1] + below[-1] + below[0] +
                               below[1]);
}

// Branch-free: `alive`, 0 or 1, selects one of the two masks.
static __device__ inline unsigned next_cell(unsigned alive, unsigned neighbours, const RuleMask& rule) {
  const unsigned counts = rule.birth ^ ((rule.birth ^ rule.survival) & (0u - alive));
  return counts >> neighbours & 1u;
}

#endif
