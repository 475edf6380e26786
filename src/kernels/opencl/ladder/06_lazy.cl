// SPDX-License-Identifier: MIT
// A work-group is a tile with a flag: whether it or a tile around it changed in the previous generation. A
// group whose flag is clear returns at once, because the other buffer already holds the same cells. A group
// that computes clears the flag that it consumed, and sets the nine flags around it for the next generation
// if a cell changed, so no separate kernel clears flags.
// @summary ladder: only tiles that changed, or whose neighbours did
// @layout bytes
// @item 1x1
// @group 32x8
// @flags 1

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
  const int x = get_global_id(0), y = get_global_id(1);
  if (x < width && y < height) {
    global const uchar* above = ROW(global const uchar, from, y - 1);
    global const uchar* at = ROW(global const uchar, from, y);
    global const uchar* below = ROW(global const uchar, from, y + 1);
    const int neighbours = above[x - 1] + above[x] + above[x + 1] + at[x - 1] + at[x + 1] + below[x - 1] +
                           below[x] + below[x + 1];
    const uchar made = NEXT(at[x], neighbours);
    ROW(global uchar, to, y)[x] = made;
    if (made != at[x]) changed = 1;
  }
  barrier(CLK_LOCAL_MEM_FENCE);  // all work-items have reported whether their cell changed
  if (!outer) return;
  flags[adjacent_tile(tile, tiles, 0, 0)] = 0;
  if (changed) wake_tiles(tile, tiles, next_flags);
}
