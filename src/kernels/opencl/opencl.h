// SPDX-License-Identifier: MIT
// Shared by the OpenCL kernel files; text, appended to the definitions for the device, the rule and the
// work-group: FOR_CPU for CPUs, COMPUTE_CAPABILITY (90 for 9.0; 0 for devices not by NVIDIA), BIRTH, SURVIVAL
// (bit n: with n live neighbours), GROUP_WIDTH, GROUP_HEIGHT, the type `word` of WORD_BITS cells with the
// operators & | ^ ~, and MOOREA_NEXT, a network for two rows as in common/networks.h, or, if the rule does
// not count, MOOREA_NEXT_CELL, a function of the nine cells row by row. If the device has gates of three
// inputs, LUT3 is one: bit a<<2 | b<<1 | c of its table.
//
// A kernel file defines an OpenCL C function `advance` with the parameters WORLD, the source cells and their
// destination. Its lines that begin with "// @" describe it:
//   @summary    one line
//   @layout     bytes, bits, strided or digits
//   @group      its work-group, columns x rows
//   @item       cells that a work-item computes, columns x rows
//   @partition  instead of @item: a function of opencl/partition.h that partitions the world
//   @word       cells in a word of the logic, 32 or 512; default 32
//   @lanes      strided layout: cells in a vector and in a word
//   @steps      generations of a pass, if more than one: `advance` does this number on a torus, and a
//   function
//               `advance_some` any smaller number, and planes
//   @flags      1: it skips inactive work-groups; it receives two arrays of a byte per work-group, active or
//               not: flags that it consumes, and flags that it sets
//   @sides      1, strided layout: it writes the halo columns of the rows that it computes
//   @mesh       structures, arrays, edges or words, layouts faces and face_bits: the neighbour table of
//   MeshTables
//               that it reads; it receives the parameters TABLE or, for words, WORD_TABLE after the others,
//               and its work-items are faces or words of 32 faces in one row
//   @cells      1: it also runs rules that do not count
//   @families   instead of @cells: the families of rules that it runs, as RuleFamily names them
//   @tables     1: it receives the tables of next_of_cells() of logic/transition_text.h, which is there
//   instead
//               of a network
//   @walk       1, strided layout of 32 lanes: its functions are those of opencl/strided_walk.h, which also
//               receive whether the number of generations before is odd
//   @refuses    a function of opencl/partition.h that returns why a world is unsupported

// Width and height of the world in cells; whether it is a torus; offset of the first cell of the first row
// and distance between rows, in bytes; number of generations; rows per work-item, if
// @partition chooses it.
#define WORLD                                                                                              \
  const int width, const int height, const int torus, const long first, const long pitch, const int steps, \
      const int rows

// Neighbour tables of meshes, as MeshTables and MeshWords describe them.
#define TABLE                                                                                    \
  const int faces, const int most_neighbours, const long table_pitch, global const uint *begins, \
      global const uint *neighbours
#define WORD_TABLE                                                                                   \
  const int words, const int exceptions, const int most_neighbours, global const uint *patterns,     \
      global const ulong *regular, global const int *distances, global const uint *first_exceptions, \
      global const uint *exception_faces, global const uint *exception_neighbours

// Next state of a cell with any number of live neighbours; rules name at most eight.
#define NEXT_FACE(alive, neighbours) NEXT(alive, min((uint)(neighbours), 15u))

// Row y of the cells, whose halo is filled; -1 and `height` are rows of the halo.
#define ROW(type, buffer, y) ((type*)((buffer) + first + (y)*pitch))

// Strided layout: rows of memory before the first one, of dead cells and of the bits that are cells of the
// world.
#define DEAD_ROW (-1)
#define ALIVE_ROW (-2)

// Next state of a cell with the given number of live neighbours.
#define NEXT(alive, neighbours) (((alive) ? SURVIVAL : BIRTH) >> (neighbours)&1)

// What the next states need of three horizontally adjacent cells besides the middle one: their sum or, if the
// rule does not count, the left and the right cell.
void sum_three(word left, word at, word right, word* ones, word* twos) {
#ifdef MOOREA_NEXT_CELL
  *ones = left;
  *twos = right;
#elif defined(LUT3)
  *ones = LUT3(left, at, right, 0x96);
  *twos = LUT3(left, at, right, 0xE8);
#else
  const word half_sum = at ^ right;
  *ones = left ^ half_sum;
  *twos = (at & right) | (left & half_sum);
#endif
}

// sum_three() for the column after another one, whose sum shares an operation with it.
void sum_next_three(word left, word at, word right, word* ones, word* twos) {
#ifdef MOOREA_NEXT_CELL
  sum_three(left, at, right, ones, twos);
#else
  sum_three(right, at, left, ones, twos);
#endif
}

// Next states of rows a and b, between rows t and u, from two words of sum_three() and the cells of each.
#ifdef MOOREA_NEXT_CELL
#define NEXT_ROWS(t0, t1, t, a0, a1, a, b0, b1, b, u0, u1, u, next_a, next_b) \
  *(next_a) = MOOREA_NEXT_CELL(t0, t, t1, a0, a, a1, b0, b, b1);              \
  *(next_b) = MOOREA_NEXT_CELL(a0, a, a1, b0, b, b1, u0, u, u1)
#else
#define NEXT_ROWS(t0, t1, t, a0, a1, a, b0, b1, b, u0, u1, u, next_a, next_b) \
  MOOREA_NEXT(t0, t1, a0, a1, b0, b1, u0, u1, a, b, next_a, next_b)
#endif

#if (defined(MOOREA_NEXT) || defined(MOOREA_NEXT_CELL)) && WORD_BITS == 32
// ---- packed rows, four words of 32 cells at a time

typedef struct {
  uint cells[4], ones[4], twos[4];
} FourWords;

// A row's words as loaded from memory.
typedef struct {
  uint before, after;
  uint4 four;
} Words;

Words read_words(global const uint* from) {
  Words words;
  words.before = from[-1], words.after = from[4];
  words.four = *(global const uint4*)from;
  return words;
}

void add_words(Words words, FourWords* row) {
  const uint before = words.before, after = words.after;
  const uint4 four = words.four;
  row->cells[0] = four.x, row->cells[1] = four.y, row->cells[2] = four.z, row->cells[3] = four.w;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const uint left = i == 0 ? before : row->cells[i - 1], right = i == 3 ? after : row->cells[i + 1];
    const uint at = row->cells[i];
    sum_three(at << 1 | left >> 31, at, at >> 1 | right << 31, &row->ones[i], &row->twos[i]);
  }
}

// Bits of word j of a row that are cells of the world.
uint cells_of_word(int width, int j) {
  const long left = width - 32L * j;
  return left >= 32 ? ~0u : left <= 0 ? 0 : (1u << left) - 1;
}

// Whether a cell differs from its previous state.
bool differs_from(uint4 was, const uint* next, const uint* cells) {
  return (((was.x ^ next[0]) & cells[0]) | ((was.y ^ next[1]) & cells[1]) | ((was.z ^ next[2]) & cells[2]) |
          ((was.w ^ next[3]) & cells[3])) != 0;
}

// Computes `own` rows from row `top` on, of the words j to j + 3, two rows at a time, so that a row is read
// and added once for both; the next two rows are prefetched. Accesses after a row's last word stay within its
// own memory, and the values are not used. If `compares`, returns whether a cell differs from the one it
// overwrites, which is also read two rows ahead, because the latency of a load before a store to the same
// place is long on a GPU.
bool step_four_columns(const int width, const int height, const long first, const long pitch,
                       global const uchar* from, global uchar* to, int j, int top, int own, bool compares) {
  // Results of rows after this one are not used; it is read again instead of them
  const int last = min(top + own, height);
  global const uint* const column = ROW(global const uint, from, 0) + j;
  global uint* const made = ROW(global uint, to, 0) + j;
  const long words = pitch / 4;
  uint cells[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) cells[i] = compares ? cells_of_word(width, j + i) : 0;
  bool differs = false;
  FourWords t, a, b, u;
  add_words(read_words(column + (top - 1) * words), &t);
  add_words(read_words(column + top * words), &a);
  Words next_rows[2] = {read_words(column + min(top + 1, last) * words),
                        read_words(column + min(top + 2, last) * words)};
  uint4 next_old[2] = {0, 0};
  if (compares) {
    next_old[0] = *(global uint4*)(made + top * words);
    next_old[1] = *(global uint4*)(made + min(top + 1, last - 1) * words);
  }
  for (int y = top; y < last; y += 2) {
    add_words(next_rows[0], &b);
    add_words(next_rows[1], &u);
    next_rows[0] = read_words(column + min(y + 3, last) * words);
    next_rows[1] = read_words(column + min(y + 4, last) * words);
    const uint4 old_a = next_old[0], old_b = next_old[1];
    if (compares) {
      next_old[0] = *(global uint4*)(made + min(y + 2, last - 1) * words);
      next_old[1] = *(global uint4*)(made + min(y + 3, last - 1) * words);
    }
    uint next_a[4], next_b[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      NEXT_ROWS(t.ones[i], t.twos[i], t.cells[i], a.ones[i], a.twos[i], a.cells[i], b.ones[i], b.twos[i],
                b.cells[i], u.ones[i], u.twos[i], u.cells[i], &next_a[i], &next_b[i]);
    }
    *(global uint4*)(made + y * words) = (uint4)(next_a[0], next_a[1], next_a[2], next_a[3]);
    if (compares) differs |= differs_from(old_a, next_a, cells);
    if (y + 1 < height) {
      *(global uint4*)(made + (y + 1) * words) = (uint4)(next_b[0], next_b[1], next_b[2], next_b[3]);
      if (compares) differs |= differs_from(old_b, next_b, cells);
    }
    t = b;
    a = u;
  }
  return differs;
}
#endif

// ---- inactive work-groups. Kernels query their own ids: PoCL 3.1 miscompiles functions that do so after a
// barrier

int wrapped(int a, int n) { return a < 0 ? n - 1 : a == n ? 0 : a; }

// Number of the tile adjacent to `tile`; opposite edges are neighbours. `tiles` is their number across and
// down.
int adjacent_tile(int2 tile, int2 tiles, int dx, int dy) {
  return wrapped(tile.y + dy, tiles.y) * tiles.x + wrapped(tile.x + dx, tiles.x);
}

// Activates the nine tiles around one whose cells changed, for the next pass.
void wake_tiles(int2 tile, int2 tiles, global uchar* next_flags) {
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) next_flags[adjacent_tile(tile, tiles, dx, dy)] = 1;
  }
}
