// SPDX-License-Identifier: MIT
// A kernel of one's own in OpenCL, a work-item a cell: docs/your-own-kernel.md explains it.
// @summary a byte and a work-item a cell
// @layout bytes
// @group 32x4
// @item 1x1

kernel void advance(WORLD, global const uchar* from, global uchar* to) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height) return;
  global const uchar* above = ROW(global const uchar, from, y - 1) + x;
  global const uchar* at = ROW(global const uchar, from, y) + x;
  global const uchar* below = ROW(global const uchar, from, y + 1) + x;
  const int neighbours = above[-1] + above[0] + above[1] + at[-1] + at[1] + below[-1] + below[0] + below[1];
  ROW(global uchar, to, y)[x] = NEXT(at[0], neighbours);
}
