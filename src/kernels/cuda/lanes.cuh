// SPDX-License-Identifier: MIT
// Ensembles on GPUs: bit k of a word is world k, so that a cell's neighbours are the same bit of other words.
// Text for NVRTC, compiled for one rule and one size; hence no includes. Requires `word`, LUT3, MOOREA_NEXT
// (kernels/contract/cuda.h), MOOREA_LANES, the values of `width`, `height`, `torus` (else a plane) and
// `columns`: columns of each lane of a warp that has a world in registers, and MOOREA_LANES_IN, where the
// cells are: 0 for registers, 1 for shared memory, 2 for global memory.

struct LanesShape {
  int width, height, torus, columns;
};
constexpr LanesShape shape = {MOOREA_LANES};
constexpr int world_words = shape.width * shape.height;

// Sum of three adjacent cells of a row.
struct Sum {
  word ones, twos;
};

static __device__ __forceinline__ Sum sum_of(word left, word centre, word right) {
  return {LUT3(left, centre, right, 0x96), LUT3(left, centre, right, 0xE8)};
}

static __device__ __forceinline__ word* group_cells(const LanesCall& call, int group) {
  return call.cells + static_cast<long long>(group >> 1) * (2 * world_words) + (group & 1);
}

// A pair of rows from the sums of the rows above, at and below them.
static __device__ __forceinline__ void next_pair(const Sum& t, const Sum& a, const Sum& b, const Sum& u,
                                                 word* first, word* second) {
  word next_first, next_second;
  MOOREA_NEXT(t.ones, t.twos, a.ones, a.twos, b.ones, b.twos, u.ones, u.twos, *first, *second, &next_first,
              &next_second);
  *first = next_first;
  *second = next_second;
}

#if MOOREA_LANES_IN == 0

// A warp has 32 worlds in its registers: `columns` columns by all rows a lane. Columns of other lanes come by
// shuffles, and a generation replaces the previous one row by row.
constexpr int columns = shape.columns;
constexpr int used_lanes = shape.width / columns;
constexpr int warps_a_block = 4;
// Registers of the largest worlds suffice for three blocks of a multiprocessor
constexpr int min_blocks = columns * shape.height > 96 ? 3 : 1;

// This lane and those with the columns beside its own.
struct Neighbours {
  int left, right;
  bool is_first, is_last;
};

struct RowSums {
  Sum of[columns];
};

static __device__ __forceinline__ RowSums row_sums(const word (&cells)[columns][shape.height], int y,
                                                   const Neighbours& lanes) {
  word left = __shfl_sync(0xFFFFFFFF, cells[columns - 1][y], lanes.left);
  word right = __shfl_sync(0xFFFFFFFF, cells[0][y], lanes.right);
  if (!shape.torus) {
    left = lanes.is_first ? 0 : left;
    right = lanes.is_last ? 0 : right;
  }
  RowSums sums;
#pragma unroll
  for (int c = 0; c < columns; ++c) {
    sums.of[c] = sum_of(c == 0 ? left : cells[c > 0 ? c - 1 : 0][y], cells[c][y],
                        c == columns - 1 ? right : cells[c < columns - 1 ? c + 1 : c][y]);
  }
  return sums;
}

static __device__ __forceinline__ void next_generation(word (&cells)[columns][shape.height],
                                                       const Neighbours& lanes) {
  constexpr int height = shape.height;
  const RowSums dead = {};
  const RowSums first = row_sums(cells, 0, lanes);
  RowSums above = shape.torus ? row_sums(cells, height - 1, lanes) : dead;
  RowSums at = first;
#pragma unroll
  for (int y = 0; y + 1 < height; y += 2) {
    const RowSums below = row_sums(cells, y + 1, lanes);
    const RowSums after = y + 2 < height ? row_sums(cells, y + 2 < height ? y + 2 : 0, lanes)
                          : shape.torus  ? first
                                         : dead;
#pragma unroll
    for (int c = 0; c < columns; ++c) {
      next_pair(above.of[c], at.of[c], below.of[c], after.of[c], &cells[c][y], &cells[c][y + 1]);
    }
    above = below;
    at = after;
  }
  if (height % 2 == 0) return;
  const RowSums below = shape.torus ? first : dead;
#pragma unroll
  for (int c = 0; c < columns; ++c) {
    word beyond = 0;
    next_pair(above.of[c], at.of[c], below.of[c], dead.of[c], &cells[c][height - 1], &beyond);
  }
}

#ifdef MOOREA_LANES_COUNTS

constexpr int lane_words = columns * shape.height;  // at most 128
constexpr int lane_digits = 8, digits = lane_digits + 5;

// Live cells of each world as binary digits: bit k of `of[p]` is digit p of the count of world k.
struct Counts {
  word of[digits];
};

// Full adder: adds two digits to `sum` and returns the carry.
static __device__ __forceinline__ word add_digits(word& sum, word a, word b) {
  const word carry = LUT3(sum, a, b, 0xE8);
  sum = LUT3(sum, a, b, 0x96);
  return carry;
}

// Counts of this lane's columns. Words of a weight are added in pairs: one full adder for each word.
static __device__ __forceinline__ Counts count_columns(const word (&cells)[columns][shape.height]) {
  Counts sum = {};
  word waiting[digits] = {};
#pragma unroll
  for (int i = 0; i < lane_words; ++i) {
    word carry = cells[i / shape.height][i % shape.height];
#pragma unroll
    for (int p = 0; p < lane_digits; ++p) {
      if ((i >> p & 1) == 0) {
        waiting[p] = carry;
        break;
      }
      carry = add_digits(sum.of[p], waiting[p], carry);
    }
  }
  word carry = {};
#pragma unroll
  for (int p = 0; p < lane_digits; ++p) {
    carry = add_digits(sum.of[p], (lane_words >> p & 1) != 0 ? waiting[p] : word{}, carry);
  }
  return sum;
}

// Adds the counts of all lanes; each lane has the sum.
static __device__ __forceinline__ void add_lanes(Counts& counts) {
#pragma unroll
  for (int round = 0; round < 5; ++round) {
    word carry = {};
#pragma unroll
    for (int p = 0; p < digits; ++p) {
      if (p <= lane_digits + round) {
        carry = add_digits(counts.of[p], __shfl_xor_sync(0xFFFFFFFF, counts.of[p], 1 << round), carry);
      }
    }
  }
}

// Stores the counts of a group after one generation: lane k that of world k.
static __device__ __forceinline__ void store_counts(const LanesCall& call, int step, int group, int lane,
                                                    const Counts& counts) {
  word population = 0;
#pragma unroll
  for (int p = 0; p < digits; ++p) population |= (counts.of[p] >> lane & 1) << p;
  call.populations[(static_cast<long long>(step) * call.groups + group) * 32 + lane] =
      static_cast<unsigned short>(population);
}

#endif

extern "C" __global__ void __launch_bounds__(32 * warps_a_block, min_blocks) advance_lanes(LanesCall call) {
  const int group = static_cast<int>(blockIdx.x) * warps_a_block + static_cast<int>(threadIdx.x) / 32;
  if (group >= call.groups) return;  // whole warps
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const bool is_used = lane < used_lanes;
  const int own = is_used ? lane : 0;  // others compute what nobody reads
  word* const at = group_cells(call, group) + 2 * own * columns;
  word cells[columns][shape.height];
#pragma unroll
  for (int y = 0; y < shape.height; ++y) {
#pragma unroll
    for (int c = 0; c < columns; ++c) cells[c][y] = at[2 * (y * shape.width + c)];
  }
  const Neighbours lanes = {own == 0 ? used_lanes - 1 : own - 1, own == used_lanes - 1 ? 0 : own + 1,
                            own == 0, own == used_lanes - 1};
#pragma unroll 1
  for (int step = 0; step < call.steps; ++step) {
    next_generation(cells, lanes);
#ifdef MOOREA_LANES_COUNTS
    Counts counts = is_used ? count_columns(cells) : Counts{};
    add_lanes(counts);
    store_counts(call, step, group, lane, counts);
#endif
  }
  if (!is_used) return;
#pragma unroll
  for (int y = 0; y < shape.height; ++y) {
#pragma unroll
    for (int c = 0; c < columns; ++c) at[2 * (y * shape.width + c)] = cells[c][y];
  }
}

#else

// A thread block has 32 worlds, double-buffered in shared memory, or in global memory if they do not fit. A
// thread computes segments of a column.
constexpr int segment_rows = 16;
constexpr int segments = (shape.height + segment_rows - 1) / segment_rows;
constexpr int items = shape.width * segments;

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
  return sum_of(column.has_left ? column.left[row] : 0, column.centre[row],
                column.has_right ? column.right[row] : 0);
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
  Sum above = sum_at(column, row_above), at = sum_at(column, row);
  for (int y = 0; y < rows; y += 2) {
    const int row_below = row_after(row), next_row = row_after(row_below);
    const Sum below = sum_at(column, row_below), after = sum_at(column, next_row);
    const bool is_pair = y + 1 < rows;
    word first = column.centre[row];
    word second = is_pair ? column.centre[row_below] : 0;
    next_pair(above, at, below, after, &first, &second);
    to[row + x] = first;
    if (is_pair) to[row_below + x] = second;
    above = below;
    at = after;
    row = next_row;
  }
}

extern "C" __global__ void __launch_bounds__(1024) advance_lanes(LanesCall call) {
#if MOOREA_LANES_IN == 1
  extern __shared__ word block_cells[];
#else
  word* const block_cells = call.scratch + static_cast<long long>(blockIdx.x) * (2 * world_words);
#endif
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  for (int group = static_cast<int>(blockIdx.x); group < call.groups; group += static_cast<int>(gridDim.x)) {
    word* const home = group_cells(call, group);
    for (int i = thread; i < world_words; i += threads) block_cells[i] = home[2 * static_cast<long long>(i)];
    __syncthreads();  // all cells are there
    int from = 0;     // the generation's cells, after which or before which the next ones are written
    for (int step = 0; step < call.steps; ++step, from = world_words - from) {
      for (int item = thread; item < items; item += threads) {
        next_segment(block_cells + from, block_cells + (world_words - from), item);
      }
      __syncthreads();  // all cells are computed, and none of the previous generation is read any more
    }
    for (int i = thread; i < world_words; i += threads)
      home[2 * static_cast<long long>(i)] = block_cells[from + i];
    __syncthreads();  // the next group replaces the cells
  }
}

#endif
