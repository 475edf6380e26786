// SPDX-License-Identifier: MIT
// A bit a cell, 32 cells a word, the rule as a network of gates. A work-item walks down a column of four
// words, 16 bytes a load, and makes two rows at a time, so that a row is read and added once for both. For
// GPUs, where it waits for memory.
// @summary a bit a cell, the rule as logic, two rows at a time
// @layout bits
// @item 128x16
// @group 64x1

#define VECTORS 4
#define ROWS 16

typedef struct {
  uint cells[VECTORS], ones[VECTORS], twos[VECTORS];
} Row;

void read_row(global const uint* from, Row* row) {
  const uint before = from[-1], behind = from[VECTORS];
  const uint4 four = *(global const uint4*)from;
  row->cells[0] = four.x, row->cells[1] = four.y, row->cells[2] = four.z, row->cells[3] = four.w;
#pragma unroll
  for (int i = 0; i < VECTORS; ++i) {
    const uint left = i == 0 ? before : row->cells[i - 1],
               right = i == VECTORS - 1 ? behind : row->cells[i + 1];
    const uint at = row->cells[i];
    sum_three(at << 1 | left >> 31, at, at >> 1 | right << 31, &row->ones[i], &row->twos[i]);
  }
}

// What is read and written behind a row's last word lies in its own memory still, and nobody uses it.
kernel void advance(WORLD, global const uchar* from, global uchar* to) {
  const int j = VECTORS * get_global_id(0), top = get_global_id(1) * ROWS;
  if (32L * j >= width || top >= height) return;
  Row t, a, b, u;
  read_row(ROW(global const uint, from, top - 1) + j, &t);
  read_row(ROW(global const uint, from, top) + j, &a);

  for (int y = top; y < top + ROWS && y < height; y += 2) {
    read_row(ROW(global const uint, from, y + 1) + j, &b);
    read_row(ROW(global const uint, from, min(y + 2, height)) + j, &u);  // nobody uses what is made beyond
    uint next_a[VECTORS], next_b[VECTORS];
#pragma unroll
    for (int i = 0; i < VECTORS; ++i) {
      MOOREA_NEXT(t.ones[i], t.twos[i], a.ones[i], a.twos[i], b.ones[i], b.twos[i], u.ones[i], u.twos[i],
                  a.cells[i], b.cells[i], &next_a[i], &next_b[i]);
    }

    *(global uint4*)(ROW(global uint, to, y) + j) = (uint4)(next_a[0], next_a[1], next_a[2], next_a[3]);
    if (y + 1 < height)
      *(global uint4*)(ROW(global uint, to, y + 1) + j) = (uint4)(next_b[0], next_b[1], next_b[2], next_b[3]);
    t = b;
    a = u;
  }
}
