// SPDX-License-Identifier: MIT
// A work-item per cell, all nine cells read from global memory; the work-group's shape decides which reads
// share a cache line. The baseline of the OpenCL ladder.
// @summary ladder: a byte and a work-item per cell, global memory
// @layout bytes
// @item 1x1
// @group 32x4

kernel void advance(WORLD, global const uchar* from, global uchar* to) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height) return;
  global const uchar* above = ROW(global const uchar, from, y - 1);
  global const uchar* at = ROW(global const uchar, from, y);
  global const uchar* below = ROW(global const uchar, from, y + 1);

  const int neighbours =
      above[x - 1] + above[x] + above[x + 1] + at[x - 1] + at[x + 1] + below[x - 1] + below[x] + below[x + 1];

  ROW(global uchar, to, y)[x] = NEXT(at[x], neighbours);
}
