// SPDX-License-Identifier: MIT
// opencl/bits with a work-group as a tile that may sleep. The result is compared with the overwritten cells,
// two generations before: if they are equal in a tile and the eight around it, the buffer already holds the
// result of the next pass. So still lifes and blinkers become inactive. Flags as in opencl/ladder/06_lazy.
// @summary 32 cells per word, skips tiles that are still or have period two
// @layout bits
// @item 128x8
// @group 8x16
// @cells 1
// @flags 1

#define ROWS 8

kernel void advance(WORLD, global const uchar* from, global uchar* to, global uchar* flags,
                    global uchar* next_flags) {
  local int awake, changed;
  const int2 tile = (int2)(get_group_id(0), get_group_id(1)),
             tiles = (int2)(get_num_groups(0), get_num_groups(1));
  const bool outer = get_local_id(0) == 0 && get_local_id(1) == 0;
  if (outer) {
    awake = flags[adjacent_tile(tile, tiles, 0, 0)];
    changed = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);  // all work-items have read the tile's flag
  if (!awake) return;
  const int j = 4 * get_global_id(0), top = get_global_id(1) * ROWS;
  if (32L * j < width && top < height &&
      step_four_columns(width, height, first, pitch, from, to, j, top, ROWS, true))
    changed = 1;
  barrier(CLK_LOCAL_MEM_FENCE);  // all work-items have reported whether their cells changed
  if (!outer) return;
  flags[adjacent_tile(tile, tiles, 0, 0)] = 0;
  if (changed) wake_tiles(tile, tiles, next_flags);
}
