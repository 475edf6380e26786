// SPDX-License-Identifier: MIT
// Larger than Life with 32 strided columns per word. Counts are numbers of several words, a binary digit of
// 32 cells in each. A work-item computes some adjacent words of a row: it counts the neighbours of the first
// and then adds the cells at one end of each run of neighbours and subtracts those before the other end.
// @summary Larger than Life, 32 strided columns per word and digit, counts by sliding windows
// @layout digits
// @lanes 32
// @item 512x1
// @group 64x1
// @families larger_than_life

#define WORDS 16  // of a work-item; of few neighbours each word is counted by itself
#define SLIDES ((int)(WIDE_CELLS > 2 * WIDE_RUNS))

uint3 add_three(uint a, uint b, uint c) {
  const uint half_sum = a ^ b;
  return (uint3)(half_sum ^ c, (a & b) | (half_sum & c), 0);
}

// Adds a number of `digits` digits.
void add_number(uint* sum, const uint* number, int digits) {
  uint carry = 0;
#pragma unroll
  for (int k = 0; k < COUNT_DIGITS; ++k) {
    const uint3 both = add_three(sum[k], k < digits ? number[k] : 0, carry);
    sum[k] = both.x;
    carry = both.y;
  }
}

// Subtracts a number, in two's complement.
void subtract_number(uint* sum, const uint* number) {
  uint carry = ~0u;
#pragma unroll
  for (int k = 0; k < COUNT_DIGITS; ++k) {
    const uint3 both = add_three(sum[k], ~number[k], carry);
    sum[k] = both.x;
    carry = both.y;
  }
}

typedef struct {
  global const uchar* from;
  int width, height, torus;
  long first, pitch;
} Field;

// The live cells of a word, `dy` rows below row y; -1, ... are words of the halo.
uint live_at(const Field* field, int y, int dy, int column) {
  int at = y + dy;
  if (!field->torus && (at < 0 || at >= field->height)) return 0;
  at %= field->height;
  if (at < 0) at += field->height;
  global const uint* row = (global const uint*)(field->from + field->first + at * field->pitch) + column;
  uint cell[DIGITS];
#pragma unroll
  for (int k = 0; k < DIGITS; ++k) cell[k] = row[k * (field->pitch / 4 / DIGITS)];
#if DIGITS > 1
  return live_cells(cell);
#else
  return cell[0];
#endif
}

// Adds up to seven cells.
void add_seven(uint* sum, const uint* cell) {
  const uint3 low = add_three(cell[0], cell[1], cell[2]), other = add_three(cell[3], cell[4], cell[5]);
  const uint3 ones = add_three(low.x, other.x, cell[6]), twos = add_three(low.y, other.y, ones.y);
  const uint seven[3] = {ones.x, twos.x, twos.y};
  add_number(sum, seven, 3);
}

// Adds the neighbours of a word.
void count_all(const Field* field, int y, int column, uint* count) {
  for (int n = 0; n < WIDE_RUNS; ++n) {
    for (int dx = run_first[n]; dx <= run_last[n]; dx += 7) {
      uint cell[7];
#pragma unroll
      for (int i = 0; i < 7; ++i)
        cell[i] = dx + i <= run_last[n] ? live_at(field, y, run_dy[n], column + dx + i) : 0;
      add_seven(count, cell);
    }
  }
}

// Sums of the cells at the last places of all runs, and before their first ones.
void count_ends(const Field* field, int y, int column, uint* in, uint* out) {
  for (int n = 0; n < WIDE_RUNS; n += 7) {
    uint last[7], first[7];
#pragma unroll
    for (int i = 0; i < 7; ++i) {
      const bool is_run = n + i < WIDE_RUNS;
      last[i] = is_run ? live_at(field, y, run_dy[n + i], column + run_last[n + i]) : 0;
      first[i] = is_run ? live_at(field, y, run_dy[n + i], column + run_first[n + i] - 1) : 0;
    }
    add_seven(in, last);
    add_seven(out, first);
  }
}

kernel void advance(WORLD, global const uchar* from, global uchar* to) {
  const int begin = get_global_id(0) * WORDS, y = get_global_id(1), stride = (width + 31) / 32;
  if (y >= height) return;
  const Field field = {from, width, height, torus, first, pitch};
  uint count[COUNT_DIGITS];
  for (int column = begin; column < min(begin + WORDS, stride); ++column) {
    if (column == begin || SLIDES == 0) {
#pragma unroll
      for (int k = 0; k < COUNT_DIGITS; ++k) count[k] = 0;
      count_all(&field, y, column, count);
    } else {
      uint in[COUNT_DIGITS], out[COUNT_DIGITS];
#pragma unroll
      for (int k = 0; k < COUNT_DIGITS; ++k) in[k] = out[k] = 0;
      count_ends(&field, y, column, in, out);
      add_number(count, in, COUNT_DIGITS);
      subtract_number(count, out);
    }
    const uint lives = lives_by(count, live_at(&field, y, 0, column));
    global uint* at = ROW(global uint, to, y) + column;
#if DIGITS > 1
    uint cell[DIGITS];
#pragma unroll
    for (int k = 0; k < DIGITS; ++k)
      cell[k] = (ROW(global const uint, from, y) + column)[k * (pitch / 4 / DIGITS)];
    advance_states(cell, lives);
#pragma unroll
    for (int k = 0; k < DIGITS; ++k) at[k * (pitch / 4 / DIGITS)] = cell[k];
#else
    *at = lives;
#endif
  }
}
