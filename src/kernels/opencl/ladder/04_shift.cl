// SPDX-License-Identifier: MIT
// One index per cell, from which a shift gives the row and a mask the column: no second dimension, in worlds
// whose width is a power of two. It shows the cost of a division or a second index, which is small if neither
// is the limit.
// @summary ladder: row index by shift, widths that are powers of two
// @layout bytes
// @item 1x1
// @group 256x1
// @refuses power_of_two_width

#define SHIFT (31 - clz(width))

kernel void advance(WORLD, global const uchar* from, global uchar* to) {
  const long cell = (long)get_global_id(1) * get_global_size(0) + get_global_id(0);
  const int x = cell & (width - 1), y = cell >> SHIFT;
  if (y >= height) return;
  global const uchar* above = ROW(global const uchar, from, y - 1);
  global const uchar* at = ROW(global const uchar, from, y);
  global const uchar* below = ROW(global const uchar, from, y + 1);

  const int neighbours =
      above[x - 1] + above[x] + above[x + 1] + at[x - 1] + at[x + 1] + below[x - 1] + below[x] + below[x + 1];

  ROW(global uchar, to, y)[x] = NEXT(at[x], neighbours);
}
