// SPDX-License-Identifier: MIT
// Cells of a soup on a square: in the registers of one warp, or of four that have a quarter each, and in
// shared memory. A lane has `rows` rows of `words` words in registers, in which bit i of word j is column
// words * i + j, so that all but the first and the last word have their neighbours in other words. Text for
// NVRTC, compiled for one rule and one size; hence no includes. Requires `word`, LUT3, MOOREA_NEXT
// (kernels/contract/cuda.h), MOOREA_SOUP_SIZE, and the text of devices/soups_call.h.
//
// All warps of a soup take the same decisions, from shared memory. `lane` is the number of a thread in its
// warp, `line` that in its soup.

constexpr int size = MOOREA_SOUP_SIZE;                 // columns and rows of the square: 128, 256 or 512
constexpr int side = size == 512 ? 2 : 1;              // warps beside each other, and below each other
constexpr int words = size / side / 32, rows = words;  // of a lane
constexpr int soup_warps = side * side, lines = 32 * soup_warps;
constexpr int row_words = size / 32;  // of a packed row
constexpr int soups_a_block = size == 128 ? 4 : size == 256 ? 2 : 1;
constexpr int min_blocks = size == 128 ? 4 : size == 256 ? 5 : 3;
constexpr word all_lanes = 0xFFFFFFFF;

constexpr int unit = size / 32;  // columns and rows by whose multiples cells are moved
constexpr int ring = soup_ring, interval = soup_interval;
constexpr int compared = 24;  // generations after which cells have to recur

constexpr int reach = 2;              // columns and rows to other cells of a cluster
constexpr int pitch = row_words + 1;  // words of a row in shared memory: one without cells precedes it
constexpr int patch_columns = 32;     // around the first cell of a cluster, which is in column `patch_left`
constexpr int patch_rows = cluster_side, ship_patch_rows = 10, patch_left = 15;
constexpr int max_seeds = max_soup_clusters + 64;

// What warps of a soup give each other in a generation: their first and last rows; and of lanes the cells
// beside the middle, bit y of row y, between two without cells.
struct Borders {
  word rows[soup_warps][2][words];
  word columns[side][32 * side + 2];
};

// Shared memory of a soup. Rows without cells precede and follow those of the square.
struct Board {
  word cells[(reach + size + patch_rows) * pitch + 1];
  Borders borders[side > 1 ? 2 : 1];  // of generations of both parities
  word seeds[max_seeds];              // row * size + column
  int seed_count;
  int sums[soup_warps];
  int number;
};

static __device__ __forceinline__ void sync() {
  if (soup_warps > 1)
    __syncthreads();
  else
    __syncwarp();
}

static __device__ __forceinline__ bool any_of(bool mine) {
  return soup_warps > 1 ? __syncthreads_or(mine ? 1 : 0) != 0 : __any_sync(all_lanes, mine);
}

// Of this lane: its first row in the square, and its first word in a packed row.
static __device__ __forceinline__ int first_row(int line) {
  return (line / 32 / side * 32 + line % 32) * rows;
}
static __device__ __forceinline__ int first_word(int line) { return line / 32 % side * words; }

struct Sum {
  word ones, twos;
};
struct RowSums {
  Sum of[words];
};

// Sums of three adjacent cells of a row, with the cells before and after those of this lane, as bits 0.
static __device__ __forceinline__ RowSums row_sums(const word (&row)[words], word left, word right) {
  RowSums sums;
#pragma unroll
  for (int j = 0; j < words; ++j) {
    word before = row[(j + words - 1) % words], after = row[(j + 1) % words];
    if (j == 0) before = side > 1 ? before << 1 | (left & 1) : before << 1;
    if (j == words - 1) after = side > 1 ? after >> 1 | right << 31 : after >> 1;
    sums.of[j] = {LUT3(before, row[j], after, 0x96), LUT3(before, row[j], after, 0xE8)};
  }
  return sums;
}

// The rows before and after those of this lane, and columns: bit y + 1 is row y, the one before included.
struct Beside {
  word before[words], after[words];
  word left, right;
};

static __device__ __forceinline__ Beside beside(const word (&cells)[rows][words], Board& board, int parity,
                                                int line) {
  const int lane = line % 32, warp = line / 32, column = warp % side, first = warp / side * 32 + lane;
  Borders& borders = board.borders[side > 1 ? parity : 0];
  Beside found;
  found.left = found.right = 0;
  if (side > 1) {
    word edge = 0;
#pragma unroll
    for (int y = 0; y < rows; ++y) edge |= (column == 0 ? cells[y][words - 1] >> 31 : cells[y][0] & 1) << y;
    borders.columns[column][first + 1] = edge;
    if (lane == 0 || lane == 31) {
#pragma unroll
      for (int j = 0; j < words; ++j)
        borders.rows[warp][lane / 31][j] = lane == 0 ? cells[0][j] : cells[rows - 1][j];
    }
    sync();
    const word* const others = &borders.columns[side - 1 - column][first + 1];
    const word across = others[-1] >> (rows - 1) | others[0] << 1 | others[1] << (rows + 1);
    found.left = column == 0 ? 0 : across;
    found.right = column == 0 ? across : 0;
  }
#pragma unroll
  for (int j = 0; j < words; ++j) {
    const word up = __shfl_up_sync(all_lanes, cells[rows - 1][j], 1);
    const word down = __shfl_down_sync(all_lanes, cells[0][j], 1);
    found.before[j] = lane == 0 ? 0 : up;
    found.after[j] = lane == 31 ? 0 : down;
    if (side > 1 && lane == 0 && warp >= side) found.before[j] = borders.rows[warp - side][1][j];
    if (side > 1 && lane == 31 && warp < side)
      found.after[j] = borders.rows[(warp + side) % soup_warps][0][j];
  }
  return found;
}

// `parity` of the generation, of which two that follow each other have different ones.
static __device__ __forceinline__ void next_generation(word (&cells)[rows][words], Board& board, int parity,
                                                       int line) {
  const Beside near = beside(cells, board, parity, line);
  const auto sums = [&](const word(&row)[words], int y) {
    return row_sums(row, near.left >> (y + 1), near.right >> (y + 1));
  };
  const RowSums beyond = sums(near.after, rows);
  RowSums above = sums(near.before, -1), at = sums(cells[0], 0);
#pragma unroll
  for (int y = 0; y < rows; y += 2) {
    const RowSums below = sums(cells[y + 1], y + 1);
    const RowSums last = y + 2 < rows ? sums(cells[y + 2 < rows ? y + 2 : 0], y + 2) : beyond;
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

static __device__ __forceinline__ word swapped(word bits, word low, int distance) {
  const word differ = (bits >> distance ^ bits) & low;
  return bits ^ differ ^ differ << distance;
}

// Bit 2 * i becomes bit i, and bit 2 * i + 1 bit 16 + i; and back.
static __device__ __forceinline__ word unshuffled(word bits) {
  bits = swapped(bits, 0x22222222u, 1);
  bits = swapped(bits, 0x0C0C0C0Cu, 2);
  bits = swapped(bits, 0x00F000F0u, 4);
  return swapped(bits, 0x0000FF00u, 8);
}

static __device__ __forceinline__ word shuffled(word bits) {
  bits = swapped(bits, 0x0000FF00u, 8);
  bits = swapped(bits, 0x00F000F0u, 4);
  bits = swapped(bits, 0x0C0C0C0Cu, 2);
  return swapped(bits, 0x22222222u, 1);
}

// Exchanges the number of a word for the highest bits of the numbers of its bits.
static __device__ __forceinline__ void transpose(word (&row)[words]) {
#pragma unroll
  for (int step = 1; step < words; step *= 2) {
    const int distance = 32 / words * step;
    const word low = distance == 16 ? 0x0000FFFFu : distance == 8 ? 0x00FF00FFu : 0x0F0F0F0Fu;
#pragma unroll
    for (int j = 0; j < words; ++j) {
      if ((j & step) != 0) continue;
      const word differ = (row[j] >> distance ^ row[(j | step) % words]) & low;
      row[j] ^= differ << distance;
      row[(j | step) % words] ^= differ;
    }
  }
}

// Exchanges the lower bits of the numbers of bits, as many as the number of a word has, for the others; and
// back.
static __device__ __forceinline__ word exchanged(word bits) {
  return words == 4 ? shuffled(shuffled(bits)) : unshuffled(unshuffled(bits));
}

static __device__ __forceinline__ word exchanged_back(word bits) {
  return words == 4 ? unshuffled(unshuffled(bits)) : shuffled(shuffled(bits));
}

// A row in registers as one of packed words, of which bit i of word j is column 32 * j + i; and back.
static __device__ __forceinline__ void pack_row(word (&row)[words]) {
  transpose(row);
#pragma unroll
  for (int k = 0; k < words; ++k) row[k] = exchanged(row[k]);
}

static __device__ __forceinline__ void unpack_row(word (&row)[words]) {
#pragma unroll
  for (int k = 0; k < words; ++k) row[k] = exchanged_back(row[k]);
  transpose(row);
}

// The first or the last one of the packed words alone.
static __device__ __forceinline__ word packed_side(const word (&row)[words], bool is_last) {
  constexpr int bits = 32 / words;
  word packed = 0;
#pragma unroll
  for (int j = 0; j < words; ++j)
    packed |= ((is_last ? row[j] >> (32 - bits) : row[j]) & ((1u << bits) - 1)) << j * bits;
  return exchanged(packed);
}

static __device__ __forceinline__ word* row_of(Board& board, int y) {
  return board.cells + (y + reach) * pitch + 1;
}

// The words of this lane in a row of shared memory.
static __device__ __forceinline__ word* mine_of_row(Board& board, int y, int line) {
  return row_of(board, first_row(line) + y) + first_word(line);
}

// Changes packed cells in the columns from `x` on.
static __device__ __forceinline__ void toggle_row(Board& board, int x, int y, word cells) {
  word* const row = row_of(board, y) + x / 32;
  const word low = cells << x % 32, high = __funnelshift_l(cells, 0, x % 32);
  if (low != 0) atomicXor(row, low);
  if (high != 0) atomicXor(row + 1, high);
}

enum Packed { all_cells, sides, sides_and_rows };

// To shared memory. Of `sides` only the first and the last word of each row are packed, of sides_and_rows
// also all of the first and last 32 rows; the other words are undefined. Rows are packed one after the other
// there, because code for all of them does not fit into the instruction caches.
static __device__ __forceinline__ void pack(const word (&cells)[rows][words], Board& board, Packed which,
                                            int line) {
  sync();
#pragma unroll
  for (int y = 0; y < rows; ++y) {
#pragma unroll
    for (int j = 0; j < words; ++j) mine_of_row(board, y, line)[j] = cells[y][j];
  }
  const int first = first_row(line), column = first_word(line) / words;
  const bool is_whole = which == all_cells || (which == sides_and_rows && (first < 32 || first >= size - 32));
#pragma unroll 1
  for (int y = 0; y < rows; ++y) {
    word* const to = mine_of_row(board, y, line);
    word packed[words];
#pragma unroll
    for (int j = 0; j < words; ++j) packed[j] = to[j];
    if (is_whole) {
      pack_row(packed);
#pragma unroll
      for (int k = 0; k < words; ++k) to[k] = packed[k];
    } else {
      if (column == 0) to[0] = packed_side(packed, false);
      if (column == side - 1) to[words - 1] = packed_side(packed, true);
    }
  }
  sync();
}

// From shared memory, where all are packed, and moved by units of columns and rows.
static __device__ __forceinline__ void unpack(word (&cells)[rows][words], Board& board, int columns,
                                              int units, int line) {
  sync();
  if (columns != 0 || units != 0) {
    // In their row: the first word that this lane takes, and the first bit of it
    const int first_bit = 32 * first_word(line) - columns * unit, first = first_bit >> 5,
              bit = first_bit & 31;
#pragma unroll
    for (int y = 0; y < rows; ++y) {
      const int from = first_row(line) + y - units * unit;
      const bool is_inside = from >= 0 && from < size;
      const word* const row = row_of(board, is_inside ? from : 0);
      const auto word_at = [&](int k) { return is_inside && k >= 0 && k < row_words ? row[k] : 0; };
      word low = word_at(first);
#pragma unroll
      for (int k = 0; k < words; ++k) {
        const word high = word_at(first + k + 1);
        cells[y][k] = __funnelshift_r(low, high, bit);
        low = high;
      }
    }
    sync();
#pragma unroll
    for (int y = 0; y < rows; ++y) {
#pragma unroll
      for (int k = 0; k < words; ++k) mine_of_row(board, y, line)[k] = cells[y][k];
    }
  }
#pragma unroll 1
  for (int y = 0; y < rows; ++y) {
    word* const row = mine_of_row(board, y, line);
    word packed[words];
#pragma unroll
    for (int k = 0; k < words; ++k) packed[k] = row[k];
    unpack_row(packed);
#pragma unroll
    for (int j = 0; j < words; ++j) row[j] = packed[j];
  }
#pragma unroll
  for (int y = 0; y < rows; ++y) {
#pragma unroll
    for (int j = 0; j < words; ++j) cells[y][j] = mine_of_row(board, y, line)[j];
  }
  sync();
}

// Cells of half as many columns and rows, in the middle of the square, and ships beside them.
static __device__ __forceinline__ void begin(word (&cells)[rows][words], Board& board, const word* middle,
                                             const SoupStart* start, int line) {
  constexpr int before = size / 4, words_before = row_words / 4;
  sync();
#pragma unroll 2
  for (int i = line; i < size * row_words; i += lines) {
    const int y = i / row_words - before, k = i % row_words - words_before;
    const bool is_inside = y >= 0 && y < size / 2 && k >= 0 && k < row_words / 2;
    row_of(board, i / row_words)[i % row_words] = is_inside ? middle[y * (row_words / 2) + k] : 0;
  }
  sync();
  for (int i = line; start != nullptr && i < start->returned_count; i += lines) {
    const ReturnedShip& ship = start->returned[i];
#pragma unroll 1
    for (int r = 0; r < ship_side; ++r) toggle_row(board, ship.x, ship.y + r, ship.rows[r]);
  }
  unpack(cells, board, 0, 0, line);
}

// Of a lane's cells. Two that differ have the same one by chance alone, once in 2^64.
struct Fingerprint {
  word one, other;
};

static __device__ __forceinline__ Fingerprint fingerprint(const word (&cells)[rows][words]) {
  Fingerprint hash = {0, 0};
#pragma unroll
  for (int y = 0; y < rows; ++y) {
#pragma unroll
    for (int j = 0; j < words; ++j) {
      hash.one = (hash.one ^ cells[y][j]) * 0x9E3779B1u;
      hash.other = (hash.other ^ cells[y][j]) * 0x85EBCA6Bu;
      hash.one ^= hash.one >> 15;
      hash.other ^= hash.other >> 13;
    }
  }
  return hash;
}

// Of all cells of the soup.
static __device__ __forceinline__ bool are_equal(const Fingerprint& a, const Fingerprint& b) {
  return !any_of(a.one != b.one || a.other != b.other);
}
