// SPDX-License-Identifier: MIT
// A bit a cell, 32 cells a word, the rule as a network of gates; a work-item walks down a column of words and makes two
// rows at a time, so that a row is read and added once for both.
// @summary a bit a cell, the rule as logic, two rows at a time
// @layout bits
// @item 32x16
// @group 64x1

#define ROWS 16

// The sum of three cells beside each other, for 32 of them.
void add_row(global const uint* row, int j, uint* ones, uint* twos) {
  const uint before = row[j - 1], at = row[j], behind = row[j + 1];
  const uint left = at << 1 | before >> 31, right = at >> 1 | behind << 31, either = left ^ at;
  *ones = either ^ right;
  *twos = (left & at) | (either & right);
}

kernel void advance(global const uchar* from, global uchar* to) {
  const int j = get_global_id(0), first = get_global_id(1) * ROWS;
  if (32 * j >= WIDTH || first >= HEIGHT) return;
  uint t0, t1, a0, a1, b0, b1, u0, u1;
  add_row(ROW(global const uint, from, first - 1), j, &t0, &t1);
  add_row(ROW(global const uint, from, first), j, &a0, &a1);

  for (int y = first; y < first + ROWS && y < HEIGHT; y += 2) {
    const int behind = min(y + 2, HEIGHT);  // beyond it nobody reads what is made
    add_row(ROW(global const uint, from, y + 1), j, &b0, &b1);
    add_row(ROW(global const uint, from, behind), j, &u0, &u1);
    uint next_a, next_b;
    MOOREA_NEXT(t0, t1, a0, a1, b0, b1, u0, u1, ROW(global const uint, from, y)[j], ROW(global const uint, from, y + 1)[j],
                &next_a, &next_b);

    ROW(global uint, to, y)[j] = next_a;
    if (y + 1 < HEIGHT) ROW(global uint, to, y + 1)[j] = next_b;
    t0 = b0, t1 = b1;
    a0 = u0, a1 = u1;
  }
}
