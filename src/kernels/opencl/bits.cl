// SPDX-License-Identifier: MIT
// A bit a cell, 32 cells a word, the rule as a network of gates. A work-item walks down a column of four
// words, 16 bytes a load, and makes two rows at a time, so that a row is read and added once for both; the
// next two are on their way meanwhile. For GPUs, where it waits for memory.
// @summary a bit a cell, the rule as logic, two rows at a time
// @layout bits
// @item 128x8
// @group 64x1

#define ROWS 8

kernel void advance(WORLD, global const uchar* from, global uchar* to) {
  const int j = 4 * get_global_id(0), top = get_global_id(1) * ROWS;
  if (32L * j < width && top < height)
    step_four_columns(width, height, first, pitch, from, to, j, top, ROWS, false);
}
