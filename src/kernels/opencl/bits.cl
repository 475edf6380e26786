// SPDX-License-Identifier: MIT
// A bit per cell, 32 cells per word, the rule as a network of gates. A work-item processes a column of four
// words, 16 bytes per load, from top to bottom and computes two rows at a time, so that a row is read and
// added once for both; the next two rows are prefetched. For GPUs, where it is memory-bound.
// @summary 32 cells per word, the rule as logic, two rows at a time
// @layout bits
// @item 128x8
// @group 64x1
// @cells 1

#define ROWS 8

kernel void advance(WORLD, global const uchar* from, global uchar* to) {
  const int j = 4 * get_global_id(0), top = get_global_id(1) * ROWS;
  if (32L * j < width && top < height)
    step_four_columns(width, height, first, pitch, from, to, j, top, ROWS, false);
}
