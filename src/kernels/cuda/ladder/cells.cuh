// SPDX-License-Identifier: MIT
// What CUDA kernels with a byte or an integer a cell share: which thread stands where, the live neighbours
// and the next state of one cell. Include it inside an unnamed namespace.
#ifndef MOOREA_KERNELS_STEP_CELLS_CUDA_H
#define MOOREA_KERNELS_STEP_CELLS_CUDA_H

// A grid has at most so many rows of blocks, and fewer than some worlds have rows; the others are its layers.
constexpr std::int64_t max_block_rows = 65535;

// The grid with a thread for each of `columns` x `rows` places.
[[maybe_unused]] static inline dim3 grid_of(std::int64_t columns, std::int64_t rows, const dim3& block) {
  const std::int64_t across = (columns + block.x - 1) / block.x, down = (rows + block.y - 1) / block.y;
  return dim3(static_cast<unsigned>(across),
              static_cast<unsigned>(down < max_block_rows ? down : max_block_rows),
              static_cast<unsigned>((down + max_block_rows - 1) / max_block_rows));
}

[[maybe_unused]] static inline dim3 threads_of(const BlockShape& block) {
  return dim3(static_cast<unsigned>(block.width), static_cast<unsigned>(block.height));
}

// Where the first thread of a block of such a grid stands.
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

// Without a branch: `alive` is 0 or 1 and chooses between the two masks.
static __device__ inline unsigned next_cell(unsigned alive, unsigned neighbours, const RuleMask& rule) {
  const unsigned counts = rule.birth ^ ((rule.birth ^ rule.survival) & (0u - alive));
  return counts >> neighbours & 1u;
}

#endif
