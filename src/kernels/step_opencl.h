// SPDX-License-Identifier: MIT
// What OpenCL kernel files share; text, put behind what the device defines of the rule and the work-group:
// BIRTH, SURVIVAL (bit n: with n live neighbours), GROUP_WIDTH, GROUP_HEIGHT, the type `word` of WORD_BITS
// cells with the operators & | ^ ~, and MOOREA_NEXT, a network for two rows as in step_networks.h. Where the
// device has gates of three inputs, LUT3 is one: bit a<<2 | b<<1 | c of its table.
//
// A kernel file is an OpenCL C function `advance` with the parameters WORLD, the cells and where to put them.
// Its lines that begin with "// @" say what it is:
//   @summary  one line
//   @layout   bytes, bits or strided
//   @group    its work-group, columns x rows
//   @item     cells that a work-item makes, columns x rows
//   @cut      instead of @item: a function of step_opencl_cuts.h that shares the world
//   @word     cells in a word of the logic, 32 or 512; 32 where nothing is said
//   @lanes    of the strided layout: cells in a vector and in a word
//   @steps    generations of a pass, if more than one: `advance` does as many on a torus, and a function
//             `advance_some` any smaller number, and planes
//   @flags    1: it leaves out work-groups that sleep; it gets a byte for each, awake or not: those that it
//             consumes, and those that it sets
//   @sides    1: of the strided layout: it writes what lies beside the rows that it makes
//   @refuses  a function of step_opencl_cuts.h that says why a world cannot be

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
