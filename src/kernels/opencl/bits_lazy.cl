// SPDX-License-Identifier: MIT
// opencl/bits with a work-group as a tile that may sleep. What it writes is compared with what the buffer
// held, two generations before: where that is the same in a tile and the eight around it, all that the next
// pass would write is there already. So still lifes sleep and so do blinkers. Flags as in
// opencl/ladder/06_lazy.
// @summary a bit a cell; tiles that are still or blink are left out
// @layout bits
// @item 32x16
// @group 32x4
// @flags 1

#define ROWS 16

void add_row(global const uint* row, int j, uint* ones, uint* twos) {
  const uint before = row[j - 1], at = row[j], behind = row[j + 1];
  sum_three(at << 1 | before >> 31, at, at >> 1 | behind << 31, ones, twos);
}

// Whether a cell is other than it was.
bool put(global uint* to, uint next, uint cells) {
  const bool differs = ((*to ^ next) & cells) != 0;
  *to = next;
  return differs;
}

bool step_column(WORLD, global const uchar* from, global uchar* to, int j, int top) {
  const uint cells = width - 32L * j >= 32 ? ~0u : (1u << (width & 31)) - 1;
  uint t0, t1, a0, a1, b0, b1, u0, u1;
  bool differs = false;
  add_row(ROW(global const uint, from, top - 1), j, &t0, &t1);
  add_row(ROW(global const uint, from, top), j, &a0, &a1);
  for (int y = top; y < top + ROWS && y < height; y += 2) {
    add_row(ROW(global const uint, from, y + 1), j, &b0, &b1);
    add_row(ROW(global const uint, from, min(y + 2, height)), j, &u0,
            &u1);  // nobody uses what is made beyond
    uint next_a, next_b;
    MOOREA_NEXT(t0, t1, a0, a1, b0, b1, u0, u1, ROW(global const uint, from, y)[j],
                ROW(global const uint, from, y + 1)[j], &next_a, &next_b);
    differs |= put(ROW(global uint, to, y) + j, next_a, cells);
    if (y + 1 < height) differs |= put(ROW(global uint, to, y + 1) + j, next_b, cells);
    t0 = b0, t1 = b1;
    a0 = u0, a1 = u1;
  }
  return differs;
}

kernel void advance(WORLD, global const uchar* from, global uchar* to, global uchar* flags,
                    global uchar* next_flags) {
  local int awake, changed;
  const int tx = get_group_id(0), ty = get_group_id(1), tiles_x = get_num_groups(0),
            tiles_y = get_num_groups(1);
  const bool outer = get_local_id(0) == 0 && get_local_id(1) == 0;
  if (outer) {
    awake = flags[ty * tiles_x + tx];
    changed = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);  // all know whether the tile is awake
  if (!awake) return;
  const int j = get_global_id(0), top = get_global_id(1) * ROWS;
  if (32L * j < width && top < height &&
      step_column(width, height, torus, first, pitch, steps, rows, from, to, j, top))
    changed = 1;
  barrier(CLK_LOCAL_MEM_FENCE);  // all have said whether their cells changed
  if (!outer) return;
  flags[ty * tiles_x + tx] = 0;
  if (!changed) return;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx)
      next_flags[(ty + dy + tiles_y) % tiles_y * tiles_x + (tx + dx + tiles_x) % tiles_x] = 1;
  }
}
