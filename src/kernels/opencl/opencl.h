// SPDX-License-Identifier: MIT
// What OpenCL kernel files share; text, put behind what the device defines of the rule and the work-group:
// FOR_CPU for CPUs, COMPUTE_CAPABILITY (90 for 9.0; 0 where the device is not NVIDIA's), BIRTH, SURVIVAL (bit
// n: with n live neighbours), GROUP_WIDTH, GROUP_HEIGHT, the type `word` of WORD_BITS
// cells with the operators & | ^ ~, and MOOREA_NEXT, a network for two rows as in common/networks.h. Where
// the device has gates of three inputs, LUT3 is one: bit a<<2 | b<<1 | c of its table.
//
// A kernel file is an OpenCL C function `advance` with the parameters WORLD, the cells and where to put them.
// Its lines that begin with "// @" say what it is:
//   @summary  one line
//   @layout   bytes, bits or strided
//   @group    its work-group, columns x rows
//   @item     cells that a work-item makes, columns x rows
//   @cut      instead of @item: a function of opencl/partition.h that shares the world
//   @word     cells in a word of the logic, 32 or 512; 32 where nothing is said
//   @lanes    of the strided layout: cells in a vector and in a word
//   @steps    generations of a pass, if more than one: `advance` does as many on a torus, and a function
//             `advance_some` any smaller number, and planes
//   @flags    1: it leaves out work-groups that sleep; it gets a byte for each, awake or not: those that it
//             consumes, and those that it sets
//   @sides    1: of the strided layout: it writes what lies beside the rows that it makes
//   @refuses  a function of opencl/partition.h that says why a world cannot be

// The cells' width and height; whether they are a torus; where the first cell of the first row lies, and the
// way from row to row, in bytes; generations that are wanted; rows that a work-item walks down, if @cut says
// so.
#define WORLD                                                                                              \
  const int width, const int height, const int torus, const long first, const long pitch, const int steps, \
      const int rows

// The row y of cells, whose halo is filled; -1 and `height` are rows of the halo.
#define ROW(type, buffer, y) ((type*)((buffer) + first + (y)*pitch))

// Of the strided layout, rows of the memory before the first: of dead cells, and of the bits that are cells
// of the world.
#define DEAD_ROW (-1)
#define ALIVE_ROW (-2)

// The next state of a cell with so many live neighbours.
#define NEXT(alive, neighbours) (((alive) ? SURVIVAL : BIRTH) >> (neighbours)&1)

// The sum of three cells beside each other.
void sum_three(word left, word at, word right, word* ones, word* twos) {
#ifdef LUT3
  *ones = LUT3(left, at, right, 0x96);
  *twos = LUT3(left, at, right, 0xE8);
#else
  const word half_sum = at ^ right;
  *ones = left ^ half_sum;
  *twos = (at & right) | (left & half_sum);
#endif
}

#if defined(MOOREA_NEXT) && WORD_BITS == 32
// ---- packed rows, four words of 32 cells at a time

typedef struct {
  uint cells[4], ones[4], twos[4];
} FourWords;

// As it comes from memory.
typedef struct {
  uint before, behind;
  uint4 four;
} Words;

Words read_words(global const uint* from) {
  Words words;
  words.before = from[-1], words.behind = from[4];
  words.four = *(global const uint4*)from;
  return words;
}

void add_words(Words words, FourWords* row) {
  const uint before = words.before, behind = words.behind;
  const uint4 four = words.four;
  row->cells[0] = four.x, row->cells[1] = four.y, row->cells[2] = four.z, row->cells[3] = four.w;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const uint left = i == 0 ? before : row->cells[i - 1], right = i == 3 ? behind : row->cells[i + 1];
    const uint at = row->cells[i];
    sum_three(at << 1 | left >> 31, at, at >> 1 | right << 31, &row->ones[i], &row->twos[i]);
  }
}

// The bits of a row's word that are cells of the world.
uint cells_of_word(int width, int j) {
  const long left = width - 32L * j;
  return left >= 32 ? ~0u : left <= 0 ? 0 : (1u << left) - 1;
}

// Whether a cell is other than it was.
bool differs_from(uint4 was, const uint* next, const uint* cells) {
  return (((was.x ^ next[0]) & cells[0]) | ((was.y ^ next[1]) & cells[1]) | ((was.z ^ next[2]) & cells[2]) |
          ((was.w ^ next[3]) & cells[3])) != 0;
}

// Makes `own` rows from row `top` on, of the words j to j + 3, two rows at a time, so that a row is read and
// added once for both; the next two are on their way meanwhile. What is read and written behind a row's last
// word lies in its own memory still, and nobody uses it. Says, if that is asked, whether a cell is other than
// it was where it is put: that is read two rows ahead, too, for a GPU waits long between a load and a store
// to the same place.
bool step_four_columns(const int width, const int height, const long first, const long pitch,
                       global const uchar* from, global uchar* to, int j, int top, int own, bool compares) {
  // Nobody uses what is made of rows beyond this one, which is read again instead
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
      MOOREA_NEXT(t.ones[i], t.twos[i], a.ones[i], a.twos[i], b.ones[i], b.twos[i], u.ones[i], u.twos[i],
                  a.cells[i], b.cells[i], &next_a[i], &next_b[i]);
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

// ---- work-groups that sleep. Kernels ask themselves who they are: PoCL 3.1 makes wrong code of functions
// that do, behind a barrier

int wrapped(int a, int n) { return a < 0 ? n - 1 : a == n ? 0 : a; }

// The number of the tile beside one of so many, across and down; opposite edges are neighbours.
int tile_beside(int2 tile, int2 tiles, int dx, int dy) {
  return wrapped(tile.y + dy, tiles.y) * tiles.x + wrapped(tile.x + dx, tiles.x);
}

// Wakes the nine tiles around one whose cells changed, for the next pass.
void wake_tiles(int2 tile, int2 tiles, global uchar* next_flags) {
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) next_flags[tile_beside(tile, tiles, dx, dy)] = 1;
  }
}
