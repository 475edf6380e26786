// SPDX-License-Identifier: MIT
// opencl/bits on 512 cells at a time, for CPUs: their compilers vectorise explicit vectors of a work-item,
// but not across work-items, because of its loop.
// @summary 512 cells per vector, for CPUs
// @layout bits
// @word 512
// @item 512x32
// @group 16x1
// @cells 1

#define ROWS 32

// Sums of a vector of a row; `row` points to its first 64 cells.
void add_row(global const ulong* row, word* ones, word* twos) {
  const word at = vload8(0, row);
  sum_three(at << 1 | vload8(0, row - 1) >> 63, at, at >> 1 | vload8(0, row + 1) << 63, ones, twos);
}

// Accesses after a row's last word stay within its own memory, and the values are not used.
kernel void advance(WORLD, global const uchar* from, global uchar* to) {
  const int j = 8 * get_global_id(0), top = get_global_id(1) * ROWS, words = (width + 63) / 64;
  if (j >= words || top >= height) return;
  word t0, t1, a0, a1, b0, b1, u0, u1;
  add_row(ROW(global const ulong, from, top - 1) + j, &t0, &t1);
  add_row(ROW(global const ulong, from, top) + j, &a0, &a1);

  for (int y = top; y < top + ROWS && y < height; y += 2) {
    add_row(ROW(global const ulong, from, y + 1) + j, &b0, &b1);
    add_row(ROW(global const ulong, from, min(y + 2, height)) + j, &u0,
            &u1);  // results beyond the last row are not used
    word next_a, next_b;
    NEXT_ROWS(t0, t1, vload8(0, ROW(global const ulong, from, y - 1) + j), a0, a1,
              vload8(0, ROW(global const ulong, from, y) + j), b0, b1,
              vload8(0, ROW(global const ulong, from, y + 1) + j), u0, u1,
              vload8(0, ROW(global const ulong, from, min(y + 2, height)) + j), &next_a, &next_b);

    vstore8(next_a, 0, ROW(global ulong, to, y) + j);
    if (y + 1 < height) vstore8(next_b, 0, ROW(global ulong, to, y + 1) + j);
    t0 = b0, t1 = b1;
    a0 = u0, a1 = u1;
  }
}
