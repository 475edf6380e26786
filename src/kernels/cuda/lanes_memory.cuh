// SPDX-License-Identifier: MIT
// Ensembles on GPUs whose worlds are too large for a warp's registers (cuda/lanes.cuh): a thread block has 32
// worlds, double-buffered in shared memory, or in global memory if they do not fit. Bit k of word
// y * width + x is the cell of world k in column x and row y. A thread computes segments of a column.
// Text for NVRTC, compiled for one rule and one size; hence no includes. Requires `word`, LUT3, MOOREA_NEXT
// (kernels/contract/cuda.h), MOOREA_LANES, the values of LanesShape, and MOOREA_LANES_SHARED: 1 for shared
// memory, 0 for global memory.

constexpr LanesShape shape = {MOOREA_LANES};
constexpr int world_words = shape.width * shape.height;
constexpr int segment_rows = 16;
constexpr int segments = (shape.height + segment_rows - 1) / segment_rows;
constexpr int items = shape.width * segments;

// Sum of three adjacent cells of a row.
struct Sum {
  word ones, twos;
};

// A column and the two beside it.
struct Column {
  const word* left;
  const word* centre;
  const word* right;
  bool has_left, has_right;  // otherwise beyond the edge of a plane
};

// Position of the row after the one at `row`, in words from row 0; world_words and more: beyond the edge of a
// plane.
static __device__ __forceinline__ int row_after(int row) {
  const int after = row + shape.width;
  return shape.torus && after == world_words ? 0 : after;
}

static __device__ __forceinline__ Sum sum_at(const Column& column, int row) {
  if (!shape.torus && (row < 0 || row >= world_words)) return {0, 0};
  const word left = column.has_left ? column.left[row] : 0, centre = column.centre[row];
  const word right = column.has_right ? column.right[row] : 0;
  return {LUT3(left, centre, right, 0x96), LUT3(left, centre, right, 0xE8)};
}

static __device__ __forceinline__ void next_segment(const word* from, word* to, int item) {
  const int x = item % shape.width;
  const int first_row = item / shape.width * segment_rows;
  const int rows = first_row + segment_rows < shape.height ? segment_rows : shape.height - first_row;
  const bool is_first = x == 0, is_last = x == shape.width - 1;
  const Column column = {from + (is_first ? shape.width - 1 : x - 1), from + x, from + (is_last ? 0 : x + 1),
                         shape.torus || !is_first, shape.torus || !is_last};
  int row = first_row * shape.width;
  const int row_above = row - shape.width + (shape.torus && first_row == 0 ? world_words : 0);
  Sum t = sum_at(column, row_above), a = sum_at(column, row);
  for (int y = 0; y < rows; y += 2) {
    const int row_below = row_after(row), next_row = row_after(row_below);
    const Sum b = sum_at(column, row_below), u = sum_at(column, next_row);
    const bool is_pair = y + 1 < rows;
    word first, second;
    MOOREA_NEXT(t.ones, t.twos, a.ones, a.twos, b.ones, b.twos, u.ones, u.twos, column.centre[row],
                is_pair ? column.centre[row_below] : 0, &first, &second);
    to[row + x] = first;
    if (is_pair) to[row_below + x] = second;
    t = b;
    a = u;
    row = next_row;
  }
}

extern "C" __global__ void __launch_bounds__(1024) advance_lanes(LanesCall call) {
#if MOOREA_LANES_SHARED
  extern __shared__ word block_cells[];
#else
  word* const block_cells = call.scratch + static_cast<long long>(blockIdx.x) * (2 * world_words);
#endif
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  for (int group = call.first + static_cast<int>(blockIdx.x); group < call.end;
       group += static_cast<int>(gridDim.x)) {
    word* const home = call.cells + static_cast<long long>(group) * world_words;
    for (int i = thread; i < world_words; i += threads) block_cells[i] = home[i];
    __syncthreads();  // all cells are there
    int from = 0;     // the generation's cells, after which or before which the next ones are written
    for (int step = 0; step < call.steps; ++step, from = world_words - from) {
      for (int item = thread; item < items; item += threads) {
        next_segment(block_cells + from, block_cells + (world_words - from), item);
      }
      __syncthreads();  // all cells are computed, and none of the previous generation is read any more
    }
    for (int i = thread; i < world_words; i += threads) home[i] = block_cells[from + i];
    __syncthreads();  // the next group replaces the cells
  }
}
