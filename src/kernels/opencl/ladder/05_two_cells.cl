// SPDX-License-Identifier: MIT
// Two adjacent cells per work-item: four columns of three rows are read for both, twelve cells instead of
// eighteen, and adjacent work-items compute adjacent pairs.
// @summary ladder: two cells per work-item
// @layout bytes
// @item 2x1
// @group 32x4

kernel void advance(WORLD, global const uchar* from, global uchar* to) {
  const int x = 2 * get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height) return;
  int columns[4];
  uchar centres[2];
  for (int i = 0; i < 4; ++i) {
    const uchar at = ROW(global const uchar, from, y)[x - 1 + i];
    columns[i] = ROW(global const uchar, from, y - 1)[x - 1 + i] + at +
                 ROW(global const uchar, from, y + 1)[x - 1 + i];
    if (i == 1 || i == 2) centres[i - 1] = at;
  }

  for (int i = 0; i < 2 && x + i < width; ++i) {
    const int neighbours = columns[i] + columns[i + 1] + columns[i + 2] - centres[i];
    ROW(global uchar, to, y)[x + i] = NEXT(centres[i], neighbours);
  }
}
