// SPDX-License-Identifier: MIT
// A bit a cell, 32 cells a word, the rule as a network of gates; a work-item walks down a column of words and
// makes two rows at a time, so that a row is read and added once for both.
// @summary a bit a cell, the rule as logic, two rows at a time
// @layout bits
// @item 32x16
// @group 64x1

#define ROWS 16

void add_row(global const uint* row, int j, uint* ones, uint* twos) {
  const uint before = row[j - 1], at = row[j], behind = row[j + 1];
  sum_three(at << 1 | before >> 31, at, at >> 1 | behind << 31, ones, twos);
}

kernel void advance(WORLD, global const uchar* from, global uchar* to) {
  const int j = get_global_id(0), top = get_global_id(1) * ROWS;
  if (32L * j >= width || top >= height) return;
  uint t0, t1, a0, a1, b0, b1, u0, u1;
  add_row(ROW(global const uint, from, top - 1), j, &t0, &t1);
  add_row(ROW(global const uint, from, top), j, &a0, &a1);

  for (int y = top; y < top + ROWS && y < height; y += 2) {
    add_row(ROW(global const uint, from, y + 1), j, &b0, &b1);
    add_row(ROW(global const uint, from, min(y + 2, height)), j, &u0,
            &u1);  // nobody uses what is made beyond
    uint next_a, next_b;
    MOOREA_NEXT(t0, t1, a0, a1, b0, b1, u0, u1, ROW(global const uint, from, y)[j],
                ROW(global const uint, from, y + 1)[j], &next_a, &next_b);

    ROW(global uint, to, y)[j] = next_a;
    if (y + 1 < height) ROW(global uint, to, y + 1)[j] = next_b;
    t0 = b0, t1 = b1;
    a0 = u0, a1 = u1;
  }
}
