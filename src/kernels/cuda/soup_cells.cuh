// SPDX-License-Identifier: MIT
// Cells of a soup on a square: in the registers of a warp, of which a lane has `words` rows of `words` words,
// and in shared memory. In registers bit i of word j of a row is column words * i + j, so that all but the
// first and the last word have their neighbours in other words. Text for NVRTC, compiled for one rule and one
// size; hence no includes. Requires `word`, LUT3, MOOREA_NEXT (kernels/contract/cuda.h), MOOREA_SOUP_WORDS,
// and the text of devices/soups_call.h.

constexpr int words = MOOREA_SOUP_WORDS;  // of a row; 4 or 8
constexpr int rows = words;               // of a lane
constexpr int size = 32 * words;          // columns and rows of the square
constexpr int warps_a_block = words == 4 ? 4 : 2, min_blocks = words == 4 ? 4 : 5;
constexpr word all_lanes = 0xFFFFFFFF;

constexpr int unit = words;   // columns and rows by whose multiples cells are moved: a bit, and a lane
constexpr int ring = 16;      // columns and rows
constexpr int interval = 8;   // generations between two examinations of it
constexpr int compared = 24;  // generations after which cells have to recur
constexpr int out_of_reach = interval + 3;
constexpr int moved = interval / 4;  // by a glider

constexpr int reach = 2;           // columns and rows to other cells of a cluster
constexpr int pitch = words + 1;   // words of a row in shared memory: one without cells precedes it
constexpr int patch_columns = 32;  // around the first cell of a cluster, which is in column `patch_left`
constexpr int patch_rows = cluster_side, patch_left = 15;
constexpr int max_seeds = 224;

// Shared memory of a warp. Rows without cells precede and follow those of the square.
struct Board {
  word cells[(reach + size + patch_rows) * pitch + 1];
  word kept[size * words];          // of the generation with which others are compared
  unsigned short seeds[max_seeds];  // row * 256 + column
  int seed_count;
};

struct Sum {
  word ones, twos;
};
struct RowSums {
  Sum of[words];
};

// Sums of three adjacent cells of a row.
static __device__ __forceinline__ RowSums row_sums(const word (&row)[words]) {
  RowSums sums;
#pragma unroll
  for (int j = 0; j < words; ++j) {
    const word before = j > 0 ? row[j > 0 ? j - 1 : 0] : row[words - 1] << 1;
    const word after = j < words - 1 ? row[j < words - 1 ? j + 1 : 0] : row[0] >> 1;
    sums.of[j] = {LUT3(before, row[j], after, 0x96), LUT3(before, row[j], after, 0xE8)};
  }
  return sums;
}

static __device__ __forceinline__ void next_generation(word (&cells)[rows][words], int lane) {
  word before[words], after[words];
#pragma unroll
  for (int j = 0; j < words; ++j) {
    const word up = __shfl_up_sync(all_lanes, cells[rows - 1][j], 1);
    const word down = __shfl_down_sync(all_lanes, cells[0][j], 1);
    before[j] = lane == 0 ? 0 : up;
    after[j] = lane == 31 ? 0 : down;
  }
  const RowSums beyond = row_sums(after);
  RowSums above = row_sums(before), at = row_sums(cells[0]);
#pragma unroll
  for (int y = 0; y < rows; y += 2) {
    const RowSums below = row_sums(cells[y + 1]);
    const RowSums last = y + 2 < rows ? row_sums(cells[y + 2 < rows ? y + 2 : 0]) : beyond;
#pragma unroll
    for (int j = 0; j < words; ++j) {
      word first, second;
      MOOREA_NEXT(above.of[j].ones, above.of[j].twos, at.of[j].ones, at.of[j].twos, below.of[j].ones,
                  below.of[j].twos, last.of[j].ones, last.of[j].twos, cells[y][j], cells[y + 1][j], &first,
                  &second);
      cells[y][j] = first;
      cells[y + 1][j] = second;
    }
    above = below;
    at = last;
  }
}

// The lowest 32 / words bits of a word, at every `words`-th bit; and back.
static __device__ __forceinline__ word spread(word bits) {
  if (words == 8) return ((bits & 0xF) * 0x00204081u) & 0x01010101u;
  bits &= 0xFF;
  bits = (bits | bits << 12) & 0x000F000Fu;
  bits = (bits | bits << 6) & 0x03030303u;
  return (bits | bits << 3) & 0x11111111u;
}

static __device__ __forceinline__ word gathered(word bits) {
  if (words == 8) return ((bits & 0x01010101u) * 0x01020408u) >> 24 & 0xF;
  bits &= 0x11111111u;
  bits = (bits | bits >> 3) & 0x03030303u;
  bits = (bits | bits >> 6) & 0x000F000Fu;
  return (bits | bits >> 12) & 0xFF;
}

static __device__ __forceinline__ word* row_of(Board& board, int y) {
  return board.cells + (y + reach) * pitch + 1;
}

static __device__ __forceinline__ void begin(word (&cells)[rows][words], const unsigned long long* soup,
                                             int lane) {
  constexpr int first_word = words / 2 - 1, bits = 32 / words, first_row = (size - soup_side) / 2;
#pragma unroll
  for (int y = 0; y < rows; ++y) {
    const int row = lane * rows + y - first_row;
    const unsigned long long packed = row >= 0 && row < soup_side ? soup[row] : 0;
    const word low = static_cast<word>(packed), high = static_cast<word>(packed >> 32);
#pragma unroll
    for (int j = 0; j < words; ++j)
      cells[y][j] = gathered(low >> j) << first_word * bits | gathered(high >> j) << (first_word + 1) * bits;
  }
}

static __device__ __forceinline__ void pack(const word (&cells)[rows][words], Board& board, int lane) {
  constexpr int bits = 32 / words;
  __syncwarp();
#pragma unroll
  for (int y = 0; y < rows; ++y) {
    word* const row = row_of(board, lane * rows + y);
#pragma unroll
    for (int k = 0; k < words; ++k) {
      word packed = 0;
#pragma unroll
      for (int j = 0; j < words; ++j) packed |= spread(cells[y][j] >> k * bits) << j;
      row[k] = packed;
    }
  }
  __syncwarp();
}

// Moves all cells by multiples of `unit` columns and rows.
static __device__ __forceinline__ void move_cells(word (&cells)[rows][words], int columns, int lanes,
                                                  int lane) {
  const int from = lane - lanes;
#pragma unroll
  for (int y = 0; y < rows; ++y) {
#pragma unroll
    for (int j = 0; j < words; ++j) {
      const word there = __shfl_sync(all_lanes, cells[y][j], from & 31);
      const word row = from >= 0 && from < 32 ? there : 0;
      cells[y][j] = columns >= 0 ? row << columns : row >> -columns;
    }
  }
}
