// SPDX-License-Identifier: MIT
// Faulty: nothing ever changes.
// @summary wrong on purpose: nothing ever changes
// @layout bytes
// @item 1x1
// @group 32x1

kernel void advance(WORLD, global const uchar* from, global uchar* to) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x < width && y < height) ROW(global uchar, to, y)[x] = ROW(global const uchar, from, y)[x];
}
