// SPDX-License-Identifier: MIT
// Requires more local memory than any device has.
// @summary wants too much local memory
// @layout bytes
// @item 1x1
// @group 32x1

kernel void advance(WORLD, global const uchar* from, global uchar* to) {
  local uchar tile[1 << 30];
  const int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height) return;
  tile[x] = ROW(global const uchar, from, y)[x];
  barrier(CLK_LOCAL_MEM_FENCE);
  ROW(global uchar, to, y)[x] = tile[x];
}
