// SPDX-License-Identifier: MIT
// Cells of a soup on a square in shared memory, as packed rows: bit i of word j is column 32 * j + i. One
// warp advances them, in windows of 64 columns and rows around the cells that change: a lane has two rows of
// a window in registers. Text for NVRTC, compiled for one rule and one size; hence no includes. Requires
// MOOREA_SOUP_SIZE, MOOREA_SOUP_REACH, what row_logic.cuh requires, its text, and that of
// devices/soups_call.h.

constexpr int size = MOOREA_SOUP_SIZE;  // columns and rows of the square: 128, 256 or 512
constexpr int row_words = size / 32;
constexpr int min_blocks = size == 128 ? 24 : size == 256 ? 16 : 5;
constexpr word all_lanes = 0xFFFFFFFF;

constexpr int max_waiting = max_waiting_windows(size), work_words = soup_work_words(size);
constexpr int unit = size / 32;  // columns and rows by whose multiples cells are moved, and windows begin
constexpr int soup_reach = MOOREA_SOUP_REACH;  // columns and rows beyond which a soup is cut off, or 0
constexpr bool is_cutting = soup_is_cut_off(size, soup_reach);
constexpr int ring = soup_ring_of(size, soup_reach), interval = soup_interval;
constexpr int compared = 24;  // generations after which cells have to recur

constexpr int window_side = 64;
constexpr int halo = 16;  // columns and rows of a window around those that change
constexpr int span = (window_side - 2 * halo) / unit;  // units of cells that change in one window
constexpr int unit_bits = unit == 4 ? 2 : unit == 8 ? 3 : 4;
static_assert(unit == 1 << unit_bits && unit % 2 == 0 && halo % unit == 0,
              "windows begin with a unit, and both rows of a lane are in one row of units");
static_assert(halo >= 2 * interval,
              "what a window does not have reaches half of its halo, and cells that change the rest");

constexpr int cluster_reach = 2;      // columns and rows to other cells of a cluster
constexpr int pitch = row_words + 1;  // words of a row in memory: one without cells precedes it
constexpr int patch_rows = cluster_side, ship_patch_rows = 10;  // from the first cell of a cluster on
constexpr int patch_left = 15;                                  // columns of a word before that cell
constexpr int max_seeds = max_soup_clusters + 64;
static_assert(max_seeds > max_waiting, "windows take the place of seeds");
static_assert(halo >= cluster_reach && halo >= patch_rows,
              "rows without cells precede and follow those of the square");

/// Words of a square in memory, with rows without cells before and after it.
constexpr int square_words = (halo + size + halo) * pitch + 1;

// Shared memory of a soup.
struct Board {
  word square[square_words];
  word changed[32];       // units of a step that will have changed, a row of units in each word
  word seeds[max_seeds];  // row * size + column; of a step: the corners of its windows
  int seed_count;
  word first_cells[max_soup_clusters];  // of clusters that are listed, as seeds, and their parts
};
static_assert(sizeof(Board) == soup_shared_bytes(size), "as the host reserves it");
static_assert(sizeof(Board) <= 48 * 1024, "as every GPU has for a thread block");

static __device__ __forceinline__ word* row_of(word* square, int y) {
  return square + (y + halo) * pitch + 1;
}
static __device__ __forceinline__ const word* row_of(const word* square, int y) {
  return square + (y + halo) * pitch + 1;
}

static __device__ __forceinline__ word low_bits(int count) {
  return count <= 0 ? 0 : count >= 32 ? all_lanes : (1u << count) - 1;
}

static __device__ __forceinline__ bool any_of(bool mine) { return __any_sync(all_lanes, mine); }

static __device__ __forceinline__ word all_of(word mine) {
#if __CUDA_ARCH__ >= 800
  return __reduce_or_sync(all_lanes, mine);
#else
  for (int other = 16; other > 0; other /= 2) mine |= __shfl_xor_sync(all_lanes, mine, other);
  return mine;
#endif
}

// 64 columns of a row.
struct Row {
  word low, high;
};

// Signals of the three cells around each of 64 columns.
struct Signals {
  RowSignals<1> low, high;
};

static __device__ __forceinline__ Signals signals_of(const Row& row) {
  Signals signals;
  make_signals<1>(&row.low, row.low << 1, __funnelshift_r(row.low, row.high, 1), signals.low);
  make_signals<1>(&row.high, __funnelshift_l(row.low, row.high, 1), row.high >> 1, signals.high);
  return signals;
}

static __device__ __forceinline__ word from_above(word mine) { return __shfl_up_sync(all_lanes, mine, 1); }
static __device__ __forceinline__ word from_below(word mine) { return __shfl_down_sync(all_lanes, mine, 1); }

// The same of the last row of the lane above, and of the first one of the lane below.
struct Neighbours {
  Signals above, below;
};

static __device__ __forceinline__ Neighbours neighbours_of(const Signals& first, const Signals& second) {
  Neighbours rows;
#ifdef MOOREA_NEXT_PAIR
  rows.above = signals_of({from_above(second.low.cells[0]), from_above(second.high.cells[0])});
  rows.below = signals_of({from_below(first.low.cells[0]), from_below(first.high.cells[0])});
#else
  // Their cells are not read
  rows.above.low = {{from_above(second.low.ones[0])}, {from_above(second.low.twos[0])}, {0}};
  rows.above.high = {{from_above(second.high.ones[0])}, {from_above(second.high.twos[0])}, {0}};
  rows.below.low = {{from_below(first.low.ones[0])}, {from_below(first.low.twos[0])}, {0}};
  rows.below.high = {{from_below(first.high.ones[0])}, {from_below(first.high.twos[0])}, {0}};
#endif
  return rows;
}

// Two rows of the window in each lane. What is next to the window is undefined.
static __device__ __forceinline__ void next_generation(Row (&cells)[2]) {
  const Signals first = signals_of(cells[0]), second = signals_of(cells[1]);
  const Neighbours other = neighbours_of(first, second);
  next_rows(other.above.low, first.low, second.low, other.below.low, 0, &cells[0].low, &cells[1].low);
  next_rows(other.above.high, first.high, second.high, other.below.high, 0, &cells[0].high, &cells[1].high);
}

// Units of 32 columns that have cells.
static __device__ __forceinline__ word units_of(word columns) {
  constexpr word first = unit == 4 ? 0x11111111u : unit == 8 ? 0x01010101u : 0x00010001u;
  for (int by = 1; by < unit; by *= 2) columns |= columns >> by;
  columns &= first;
  // Brings bits i * unit to i
  if (unit == 4) columns = (columns | columns >> 3) & 0x03030303u;
  if (unit == 4) columns = (columns | columns >> 6) & 0x000F000Fu;
  if (unit == 4) return (columns | columns >> 12) & 0xFF;
  if (unit == 8) columns = (columns | columns >> 7) & 0x00030003u;
  if (unit == 8) return (columns | columns >> 14) & 0xF;
  return (columns | columns >> 15) & 0x3;
}

// Where a window begins; both may be outside the square, by at most a halo.
struct Corner {
  int x, y;
};

static __device__ __forceinline__ word packed(const Corner& corner) {
  return static_cast<word>(corner.x + halo) | static_cast<word>(corner.y + halo) << 16;
}
static __device__ __forceinline__ Corner corner_of(word packed) {
  return {static_cast<int>(packed & 0xFFFF) - halo, static_cast<int>(packed >> 16) - halo};
}

// Columns of a window that are known after an interval, and whether the rows of a lane are. What of them is
// outside the square has a place in memory, and remains dead.
constexpr Row known_columns = {all_lanes << interval, all_lanes >> interval};
static __device__ __forceinline__ bool has_known_rows(int lane) {
  return lane >= interval / 2 && lane < (window_side - interval) / 2;
}
static_assert(interval % 2 == 0, "both rows of a lane are known, or none");

// The next window for cells that change, of which `left` are the units of this lane's row that have none yet;
// these are removed. False if there are none.
static __device__ __forceinline__ bool next_window(word& left, Corner& corner, int lane) {
  const word rows = __ballot_sync(all_lanes, left != 0);
  if (rows == 0) return false;
  const int row = __ffs(static_cast<int>(rows)) - 1;
  const bool is_inside = lane >= row && lane < row + span;
  const int column = __ffs(static_cast<int>(all_of(is_inside ? left : 0))) - 1;
  if (is_inside) left &= ~(low_bits(span) << column);
  // At most a halo is outside the square, which has space for it
  corner = {min(column * unit - halo, size + halo - window_side),
            min(row * unit - halo, size + halo - window_side)};
  return true;
}

// Notes that cells in these columns of a window and in a row of it differ from two generations before.
static __device__ __forceinline__ void note_change(Board& board, const Corner& corner, int row,
                                                   const Row& differ) {
  if ((differ.low | differ.high) == 0) return;
  const word units = units_of(differ.low) | units_of(differ.high) << 32 / unit;
  const int first = corner.x >> unit_bits;
  atomicOr(&board.changed[(corner.y + row) >> unit_bits], first < 0 ? units >> -first : units << first);
}

// Of 32 columns from `x` on: those in the outermost `depth` columns.
static __device__ __forceinline__ word outermost(int x, int depth) {
  return low_bits(depth - x) | ~low_bits(size - depth - x);
}

static __device__ __forceinline__ bool is_outermost(int y, int depth) {
  return y < depth || y >= size - depth;
}

// Whether what is known of a window is partly in the ring.
static __device__ __forceinline__ bool reaches_ring(const Corner& corner) {
  constexpr int first = ring - interval, last = size - ring - window_side + interval;
  return corner.x < first || corner.y < first || corner.x > last || corner.y > last;
}

// Live cells of a row of a window that are in the ring.
static __device__ __forceinline__ word cells_in_ring(const Corner& corner, int row, const Row& cells) {
  if (is_outermost(corner.y + row, ring)) return cells.low | cells.high;
  return (cells.low & outermost(corner.x, ring)) | (cells.high & outermost(corner.x + 32, ring));
}

// Reads two rows of a window in each lane, and advances them by an interval. Returns live cells that are in
// the ring then, of those that this lane knows.
static __device__ __forceinline__ word advance_window(Board& board, const Corner& corner, Row (&cells)[2],
                                                      int lane) {
  const int word_of_row = corner.x >> 5, bit = corner.x & 31;
  Row before[2];
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    const word* const from = row_of(board.square, corner.y + 2 * lane + r) + word_of_row;
    const word middle = from[1];
    cells[r] = {__funnelshift_r(from[0], middle, bit), __funnelshift_r(middle, from[2], bit)};
  }
#pragma unroll 1
  for (int g = 0; g < interval; g += 2) {
    before[0] = cells[0];
    before[1] = cells[1];
    next_generation(cells);
    next_generation(cells);
  }
  if (!has_known_rows(lane)) return 0;
  note_change(board, corner, 2 * lane,
              {((cells[0].low ^ before[0].low) | (cells[1].low ^ before[1].low)) & known_columns.low,
               ((cells[0].high ^ before[0].high) | (cells[1].high ^ before[1].high)) & known_columns.high});
  if (!reaches_ring(corner)) return 0;
  word live = 0;
#pragma unroll
  for (int r = 0; r < 2; ++r)
    live |= cells_in_ring(corner, 2 * lane + r,
                          {cells[r].low & known_columns.low, cells[r].high & known_columns.high});
  return live;
}

// Puts the known cells of a window into the square.
static __device__ __forceinline__ void put_window(Board& board, const Corner& corner, const Row (&cells)[2],
                                                  int lane) {
  if (!has_known_rows(lane)) return;
  const int word_of_row = corner.x >> 5, bit = corner.x & 31;
  const word masks[3] = {known_columns.low << bit,
                         __funnelshift_l(known_columns.low, known_columns.high, bit),
                         __funnelshift_l(known_columns.high, 0, bit)};
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    word* const to = row_of(board.square, corner.y + 2 * lane + r) + word_of_row;
    to[0] = LUT3(masks[0], cells[r].low << bit, to[0], 0xCA);
    to[1] = LUT3(masks[1], __funnelshift_l(cells[r].low, cells[r].high, bit), to[1], 0xCA);
    to[2] = LUT3(masks[2], __funnelshift_l(cells[r].high, 0, bit), to[2], 0xCA);
  }
}

// Whether there are live cells in the ring that may have changed, or too many windows: then the cells remain
// as they were.
struct Advanced {
  bool is_in_ring, is_crowded;
};

// Advances the cells by an interval. `changed`: of this lane's row of units, those with cells that differ
// from two generations before, also of the result. All others are as they were two generations before, and
// thus as they will be. Windows overlap: each of them needs the cells of before, and waits in `work` for the
// others, but for the last one.
static __device__ __forceinline__ Advanced advance(Board& board, word* work, word& changed, int lane) {
  uint4* const waiting = reinterpret_cast<uint4*>(work) + lane;
  board.changed[lane] = 0;
  __syncwarp();
  word in_ring = 0;
  Row cells[2];
  Corner corner;
  int windows = 0;
  for (word left = changed; next_window(left, corner, lane); ++windows) {
    if (windows > max_waiting) return {false, true};
    if (windows > 0)
      waiting[(windows - 1) * 32] = make_uint4(cells[0].low, cells[0].high, cells[1].low, cells[1].high);
    if (lane == 0) board.seeds[windows] = packed(corner);
    in_ring |= advance_window(board, corner, cells, lane);
  }
  __syncwarp();
#pragma unroll 1
  for (int i = windows - 1; i >= 0; --i) {
    if (i < windows - 1) {
      corner = corner_of(board.seeds[i]);
      const uint4 rows = waiting[i * 32];
      cells[0] = {rows.x, rows.y};
      cells[1] = {rows.z, rows.w};
    }
    put_window(board, corner, cells, lane);
    __syncwarp();
  }
  changed = board.changed[lane];
  return {any_of(in_ring != 0), false};
}

// Makes the square equal to the words of its rows in `work`.
static __device__ __noinline__ void put_square(Board& board, const word* work, int lane) {
  __syncwarp();
#pragma unroll 1
  for (int i = lane; i < size * row_words; i += 32)
    row_of(board.square, i / row_words)[i % row_words] = work[i];
  __syncwarp();
}

// Advances all cells by one generation.
static __device__ __noinline__ void advance_all(Board& board, word* work, int lane) {
#pragma unroll 1
  for (int y = 2 * lane; y < size; y += 64) {
#pragma unroll 1
    for (int k = 0; k < row_words; ++k) {
      RowSignals<1> rows[4];
      word next[2];
#pragma unroll
      for (int r = 0; r < 4; ++r) {
        const word* const at = row_of(board.square, y + r - 1) + k;
        make_signals<1>(at, __funnelshift_l(at[-1], at[0], 1), __funnelshift_r(at[0], at[1], 1), rows[r]);
      }
      next_rows(rows[0], rows[1], rows[2], rows[3], 0, &next[0], &next[1]);
      work[y * row_words + k] = next[0];
      work[(y + 1) * row_words + k] = next[1];
    }
  }
  put_square(board, work, lane);
}

// Units with live cells of this lane's row of units.
static __device__ __noinline__ word live_units(const word* square, int lane) {
  word units = 0;
#pragma unroll 1
  for (int k = 0; k < row_words; ++k) {
    word columns = 0;
#pragma unroll 1
    for (int y = 0; y < unit; ++y) columns |= row_of(square, lane * unit + y)[k];
    units |= units_of(columns) << k * (32 / unit);
  }
  return units;
}

// Changes cells in the columns from `x` on.
static __device__ __forceinline__ void toggle_row(word* square, int x, int y, word cells) {
  word* const row = row_of(square, y) + x / 32;
  const word low = cells << x % 32, high = __funnelshift_l(cells, 0, x % 32);
  if (low != 0) atomicXor(row, low);
  if (high != 0) atomicXor(row + 1, high);
}

// Moves all cells by units of columns and rows.
static __device__ __noinline__ void move_cells(Board& board, word* work, int columns, int rows, int lane) {
#pragma unroll 1
  for (int i = lane; i < size * row_words; i += 32) {
    const int y = i / row_words - rows * unit, bit = i % row_words * 32 - columns * unit, k = bit >> 5;
    const bool is_inside = y >= 0 && y < size;
    const word low = is_inside && k >= 0 && k < row_words ? row_of(board.square, y)[k] : 0,
               high = is_inside && k + 1 >= 0 && k + 1 < row_words ? row_of(board.square, y)[k + 1] : 0;
    work[i] = __funnelshift_r(low, high, bit & 31);
  }
  put_square(board, work, lane);
}

// Cells of half as many columns and rows, in the middle of the square, and ships beside them.
static __device__ __noinline__ void begin(word* square, const word* middle, const SoupStart* start,
                                          int lane) {
  constexpr int before = size / 4, words_before = row_words / 4;
#pragma unroll 2
  for (int i = lane; i < size * row_words; i += 32) {
    const int row = i / row_words, y = row - before, k = i % row_words - words_before;
    const bool is_inside = y >= 0 && y < size / 2 && k >= 0 && k < row_words / 2;
    const word cells = is_inside ? middle[y * (row_words / 2) + k] : 0;
    row_of(square, row)[i % row_words] = cells;
  }
  __syncwarp();
  for (int i = lane; start != nullptr && i < start->returned_count; i += 32) {
    const ReturnedShip& ship = start->returned[i];
#pragma unroll 1
    for (int r = 0; r < ship_side; ++r) toggle_row(square, ship.x, ship.y + r, ship.rows[r]);
  }
  __syncwarp();
}

// A hash of the cells of this lane's rows. Two that differ have the same one by chance alone, once in 2^64.
struct Fingerprint {
  word one, other;
};

static __device__ __noinline__ Fingerprint fingerprint(const word* square, int lane) {
  Fingerprint hash = {0, 0};
#pragma unroll 1
  for (int y = lane; y < size; y += 32) {
    const word* const row = row_of(square, y);
#pragma unroll
    for (int k = 0; k < row_words; ++k) {
      hash.one = (hash.one ^ row[k]) * 0x9E3779B1u;
      hash.other = (hash.other ^ row[k]) * 0x85EBCA6Bu;
      hash.one ^= hash.one >> 15;
      hash.other ^= hash.other >> 13;
    }
  }
  return hash;
}
