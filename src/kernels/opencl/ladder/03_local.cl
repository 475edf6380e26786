// SPDX-License-Identifier: MIT
// The work-items of a group load their cells and a halo of one into local memory together; each cell is then
// read from there nine times. It pays on devices with small caches, and loses where caches do the same
// automatically.
// @summary ladder: a tile with its halo in local memory
// @layout bytes
// @item 1x1
// @group 32x8

#define TILE_WIDTH (GROUP_WIDTH + 2)
#define TILE_HEIGHT (GROUP_HEIGHT + 2)

kernel void advance(WORLD, global const uchar* from, global uchar* to) {
  local uchar tile[TILE_HEIGHT][TILE_WIDTH];
  const int left = get_group_id(0) * GROUP_WIDTH - 1, top = get_group_id(1) * GROUP_HEIGHT - 1;
  const int lx = get_local_id(0), ly = get_local_id(1);
  for (int i = ly * GROUP_WIDTH + lx; i < TILE_WIDTH * TILE_HEIGHT; i += GROUP_WIDTH * GROUP_HEIGHT) {
    const int tx = i % TILE_WIDTH, ty = i / TILE_WIDTH, x = left + tx, y = top + ty;
    tile[ty][tx] = x <= width && y <= height ? ROW(global const uchar, from, y)[x] : 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);  // the tile is complete

  const int x = left + 1 + lx, y = top + 1 + ly;
  if (x >= width || y >= height) return;
  int neighbours = 0;
  for (int dy = 0; dy < 3; ++dy)
    neighbours += tile[ly + dy][lx] + tile[ly + dy][lx + 1] + tile[ly + dy][lx + 2];
  const int alive = tile[ly + 1][lx + 1];

  ROW(global uchar, to, y)[x] = NEXT(alive, neighbours - alive);
}
