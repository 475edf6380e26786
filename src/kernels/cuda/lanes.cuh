// SPDX-License-Identifier: MIT
// Ensembles on GPUs whose worlds are in registers: a warp has a group of 32 / segments worlds, a lane of it
// `columns` columns by `rows` rows (LanesShape). The neighbours of a cell are the same bit of other words of
// the lane, those beside its columns come by shuffles, and those above and below a segment are in the lane's
// own registers, at the bits of the adjacent segment. So no memory is used from generation to generation.
// Text for NVRTC, compiled for one rule and one size; hence no includes. Requires `word`, LUT3, MOOREA_NEXT
// (kernels/contract/cuda.h) and MOOREA_LANES, the values of LanesShape.

constexpr LanesShape shape = {MOOREA_LANES};
constexpr int columns = shape.columns, rows = shape.rows;
constexpr int worlds = 32 / shape.segments;  // of a group
constexpr int group_words = rows * columns * shape.lanes;
constexpr int short_lanes = shape.lanes * columns - shape.width;
constexpr int short_segments = shape.segments * rows - shape.height;
constexpr word all_bits = 0xFFFFFFFF;
constexpr word long_segments = all_bits >> worlds* short_segments;
constexpr word first_segment = all_bits >> (32 - worlds), last_segment = all_bits << (32 - worlds);
constexpr int warps_a_block = 4;
// Such that a thread has registers for its cells, about six words of sums for each column, and the network
constexpr int min_blocks = (rows + 6) * columns > 100 ? 3 : rows* columns > 32 ? 4 : 6;

// Sum of three adjacent cells of a row.
struct Sum {
  word ones, twos;
};

struct RowSums {
  Sum of[columns];
};

// This lane and those with the columns beside its own.
struct Neighbours {
  int left, right;
  bool is_first, is_last;
  bool is_short;  // its last column is the first one of the lane on the right
};

static __device__ __forceinline__ word rotated(word cells, int by) {
  return by % 32 == 0 ? cells : cells << by % 32 | cells >> (32 - by % 32);
}

// Cells of a row as the segment above or below has them; dead beyond the edges of a plane.
static __device__ __forceinline__ word of_previous_segment(word cells) {
  return rotated(cells, worlds) & (shape.torus ? all_bits : ~first_segment);
}

static __device__ __forceinline__ word of_next_segment(word cells) {
  return rotated(cells, 32 - worlds) & (shape.torus ? all_bits : ~last_segment);
}

// Of `long_ones` in long segments, of `short_ones` in the others.
static __device__ __forceinline__ word by_length(word long_ones, word short_ones) {
  return (long_ones & long_segments) | (short_ones & ~long_segments);
}

static __device__ __forceinline__ RowSums row_sums(word (&cells)[columns][rows], int y,
                                                   const Neighbours& lanes) {
  word right = __shfl_sync(all_bits, cells[0][y], lanes.right);
  if (!shape.torus) right = lanes.is_last ? 0 : right;
  word last = cells[columns - 1][y];
  if (short_lanes > 0) {
    last = lanes.is_short ? cells[columns > 1 ? columns - 2 : 0][y] : last;
    cells[columns - 1][y] = lanes.is_short ? right : cells[columns - 1][y];
  }
  word left = __shfl_sync(all_bits, last, lanes.left);
  if (!shape.torus) left = lanes.is_first ? 0 : left;
  RowSums sums;
#pragma unroll
  for (int c = 0; c < columns; ++c) {
    const word before = c == 0 ? left : cells[c > 0 ? c - 1 : 0][y];
    const word after = c == columns - 1 ? right : cells[c < columns - 1 ? c + 1 : c][y];
    sums.of[c] = {LUT3(before, cells[c][y], after, 0x96), LUT3(before, cells[c][y], after, 0xE8)};
  }
  return sums;
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

// The sums above row 0 of each segment: of the last row of the segment before it.
static __device__ __forceinline__ RowSums sums_above(word (&cells)[columns][rows], const Neighbours& lanes) {
  RowSums sums = row_sums(cells, rows - 1, lanes);
  RowSums shorter = sums;
  if (short_segments > 0) shorter = row_sums(cells, rows > 1 ? rows - 2 : 0, lanes);
#pragma unroll
  for (int c = 0; c < columns; ++c) {
    sums.of[c] = {of_previous_segment(by_length(sums.of[c].ones, shorter.of[c].ones)),
                  of_previous_segment(by_length(sums.of[c].twos, shorter.of[c].twos))};
  }
  return sums;
}

// Replaces the cells by those of the next generation, row by row.
static __device__ __forceinline__ void next_generation(word (&cells)[columns][rows],
                                                       const Neighbours& lanes) {
  if (short_segments > 0) {
    // Beyond the end of a short segment is the first row of the next one
#pragma unroll
    for (int c = 0; c < columns; ++c) {
      cells[c][rows - 1] = by_length(cells[c][rows - 1], of_next_segment(cells[c][0]));
    }
  }
  RowSums above = sums_above(cells, lanes);
  RowSums at = row_sums(cells, 0, lanes);
  RowSums beyond;
#pragma unroll
  for (int c = 0; c < columns; ++c) {
    beyond.of[c] = {of_next_segment(at.of[c].ones), of_next_segment(at.of[c].twos)};
  }
#pragma unroll
  for (int y = 0; y + 1 < rows; y += 2) {
    const RowSums below = row_sums(cells, y + 1, lanes);
    const RowSums after = y + 2 < rows ? row_sums(cells, y + 2 < rows ? y + 2 : 0, lanes) : beyond;
#pragma unroll
    for (int c = 0; c < columns; ++c) {
      next_pair(above.of[c], at.of[c], below.of[c], after.of[c], &cells[c][y], &cells[c][y + 1]);
    }
    above = below;
    at = after;
  }
  if (rows % 2 == 0) return;
  const RowSums unused = {};
#pragma unroll
  for (int c = 0; c < columns; ++c) {
    word row_beyond = 0;
    next_pair(above.of[c], at.of[c], beyond.of[c], unused.of[c], &cells[c][rows - 1], &row_beyond);
  }
}

// The place of a thread in a launch whose warps have a group each, from group `first` on.
struct Place {
  int group, lane;
  bool is_used;  // other lanes compute what nobody reads
  int own;       // the lane whose columns this one has
};

static __device__ __forceinline__ Place place_of(int first) {
  const int warp = static_cast<int>(blockIdx.x) * warps_a_block + static_cast<int>(threadIdx.x) / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const bool is_used = lane < shape.lanes;
  return {first + warp, lane, is_used, is_used ? lane : 0};
}

static __device__ __forceinline__ Neighbours neighbours_of(int own) {
  return {own == 0 ? shape.lanes - 1 : own - 1, own == shape.lanes - 1 ? 0 : own + 1, own == 0,
          own == shape.lanes - 1, own >= shape.lanes - short_lanes};
}

// Distance of the lane's words from the first word of all groups.
static __device__ __forceinline__ long long offset_of(const Place& place) {
  return static_cast<long long>(place.group) * group_words + place.own;
}

static __device__ __forceinline__ void load(word (&cells)[columns][rows], const word* from) {
#pragma unroll
  for (int y = 0; y < rows; ++y) {
#pragma unroll
    for (int c = 0; c < columns; ++c) cells[c][y] = from[(y * columns + c) * shape.lanes];
  }
}

static __device__ __forceinline__ void store(const word (&cells)[columns][rows], word* to) {
#pragma unroll
  for (int y = 0; y < rows; ++y) {
#pragma unroll
    for (int c = 0; c < columns; ++c) to[(y * columns + c) * shape.lanes] = cells[c][y];
  }
}

#ifdef MOOREA_LANES_COUNTS

constexpr int lane_words = columns * rows;
constexpr int digits = lane_words < 2    ? 1
                       : lane_words < 4  ? 2
                       : lane_words < 8  ? 3
                       : lane_words < 16 ? 4
                       : lane_words < 32 ? 5
                       : lane_words < 64 ? 6
                                         : 7;

// Live cells as binary digits: bit k of `of[p]` is digit p of the count of bit k of the lane's words.
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
static __device__ __forceinline__ Counts count_columns(const word (&cells)[columns][rows], bool is_short) {
  Counts sum = {};
  word waiting[digits] = {};
#pragma unroll
  for (int i = 0; i < lane_words; ++i) {
    word carry = cells[i / rows][i % rows];
    if (i % rows == rows - 1) carry &= long_segments;
    if (short_lanes > 0 && i / rows == columns - 1) carry = is_short ? 0 : carry;
#pragma unroll
    for (int p = 0; p < digits; ++p) {
      if ((i >> p & 1) == 0) {
        waiting[p] = carry;
        break;
      }
      carry = add_digits(sum.of[p], waiting[p], carry);
    }
  }
  word carry = {};
#pragma unroll
  for (int p = 0; p < digits; ++p) {
    carry = add_digits(sum.of[p], (lane_words >> p & 1) != 0 ? waiting[p] : word{}, carry);
  }
  return sum;
}

// Transposes the matrices of 32 x 32 bits whose row l is a digit of lane l, by exchanges of blocks of 16, 8,
// 4, 2 and 1 bits (Warren, Hacker's Delight, section 7-3): bit l is then the digit of bit `lane` of lane l's
// words.
static __device__ __forceinline__ void transpose(Counts& counts, int lane) {
#pragma unroll
  for (int block = 16; block > 0; block /= 2) {
    const bool has_high = (lane & block) != 0;
    const word low = all_bits / ((1u << block) + 1), kept = has_high ? ~low : low;
    const int left = has_high ? 32 - block : block;
#pragma unroll
    for (int p = 0; p < digits; ++p) {
      const word other = __shfl_xor_sync(all_bits, counts.of[p], block);
      counts.of[p] = LUT3(kept, counts.of[p], __funnelshift_l(other, other, left), 0xCA);
    }
  }
}

// Stores the populations of a group after one generation: lane k that of world k.
static __device__ __forceinline__ void store_counts(const LanesCall& call, int step, const Place& place,
                                                    Counts& counts) {
  transpose(counts, place.lane);
  int population = 0;
#pragma unroll
  for (int p = 0; p < digits; ++p) population += __popc(counts.of[p]) << p;
#pragma unroll
  for (int segment = worlds; segment < 32; segment *= 2) {
    population += __shfl_xor_sync(all_bits, population, segment);
  }
  if (place.lane >= worlds) return;
  const long long at = (static_cast<long long>(step) * call.all_groups + place.group) * worlds + place.lane;
  if (shape.width * shape.height < 65536) {
    static_cast<unsigned short*>(call.populations)[at] = static_cast<unsigned short>(population);
  } else {
    static_cast<unsigned int*>(call.populations)[at] = static_cast<unsigned int>(population);
  }
}

#endif

#ifndef MOOREA_LANES_SEARCH

extern "C" __global__ void __launch_bounds__(32 * warps_a_block, min_blocks) advance_lanes(LanesCall call) {
  const Place place = place_of(call.first);
  if (place.group >= call.end) return;  // whole warps
  word cells[columns][rows];
  load(cells, call.cells + offset_of(place));
  const Neighbours lanes = neighbours_of(place.own);
#pragma unroll 1
  for (int step = 0; step < call.steps; ++step) {
    next_generation(cells, lanes);
#ifdef MOOREA_LANES_COUNTS
    Counts counts = place.is_used ? count_columns(cells, lanes.is_short) : Counts{};
    store_counts(call, step, place, counts);
#endif
  }
  if (place.is_used) store(cells, call.cells + offset_of(place));
}

#endif
