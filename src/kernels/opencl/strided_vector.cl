// SPDX-License-Identifier: MIT
// 512 columns per vector in the strided layout (cpu/strided.h): a cell's left and right neighbours are the
// same bit of the adjacent vectors, and only the halo columns are shifted. A work-item sweeps a band of rows
// with a wavefront of sixteen generations, a few rows each, through ring buffers that stay in its core's
// caches. For CPUs, whose work-items are as wide as their vectors.
// @summary 512 strided columns per vector, sixteen generations in the caches, for CPUs
// @layout strided
// @lanes 512
// @steps 16
// @group 1x1
// @cells 1
// @partition partition_strided_vector
// @sides 1

#define RING 16          // rows that a generation keeps, a power of two
#define WAVE (RING - 2)  // rows that a generation computes before the next one follows

typedef struct {
  word ones, twos, centre;
} Column;

// Two adjacent columns share an operation.
void two_columns(global const word* at, Column* one, Column* two) {
  const word left = at[-1], a = at[0], b = at[1], right = at[2];
  one->centre = a;
  two->centre = b;
  sum_three(left, a, b, &one->ones, &one->twos);
  sum_next_three(a, b, right, &two->ones, &two->twos);
}

void one_column(global const word* at, Column* one) {
  one->centre = at[0];
  sum_three(at[-1], at[0], at[1], &one->ones, &one->twos);
}

void make_pair(const Column* above, const Column* a, const Column* b, const Column* below, global word* to_a,
               global word* to_b) {
  word next_a, next_b;
  NEXT_ROWS(above->ones, above->twos, above->centre, a->ones, a->twos, a->centre, b->ones, b->twos, b->centre,
            below->ones, below->twos, below->centre, &next_a, &next_b);
  *to_a = next_a;
  *to_b = next_b;
}

// Computes `count` rows: `in` starts with the row above the first, `out` receives the results.
void make_rows(global const word* const* in, global word* const* out, int stride, int count) {
  int j = 0;
  for (; j + 2 <= stride; j += 2) {
    Column a, a2, b, b2, c, c2, d, d2;
    two_columns(in[0] + j, &a, &a2);
    two_columns(in[1] + j, &b, &b2);
    int k = 0;
    // Unrolled to four rows per iteration, so that the reused sums need no register moves
    for (; k + 4 <= count; k += 4) {
      two_columns(in[k + 2] + j, &c, &c2);
      two_columns(in[k + 3] + j, &d, &d2);
      make_pair(&a, &b, &c, &d, out[k] + j, out[k + 1] + j);
      make_pair(&a2, &b2, &c2, &d2, out[k] + j + 1, out[k + 1] + j + 1);
      two_columns(in[k + 4] + j, &a, &a2);
      two_columns(in[k + 5] + j, &b, &b2);
      make_pair(&c, &d, &a, &b, out[k + 2] + j, out[k + 3] + j);
      make_pair(&c2, &d2, &a2, &b2, out[k + 2] + j + 1, out[k + 3] + j + 1);
    }
    if (k == count) continue;
    two_columns(in[k + 2] + j, &c, &c2);
    two_columns(in[k + 3] + j, &d, &d2);
    make_pair(&a, &b, &c, &d, out[k] + j, out[k + 1] + j);
    make_pair(&a2, &b2, &c2, &d2, out[k] + j + 1, out[k + 1] + j + 1);
  }
  if (j == stride) return;
  Column a, b, c, d;
  one_column(in[0] + j, &a);
  one_column(in[1] + j, &b);
  for (int k = 0; k < count; k += 2) {
    one_column(in[k + 2] + j, &c);
    one_column(in[k + 3] + j, &d);
    make_pair(&a, &b, &c, &d, out[k] + j, out[k + 1] + j);
    a = c;
    b = d;
  }
}

// Bit i + 1 (i - 1) of the result is bit i of v; `bit` is shifted in at the end.
word bits_up(word v, ulong bit) {
  const word over = v >> 63;
  return v << 1 | (word)(bit, over.s0123, over.s45, over.s6);
}
word bits_down(word v, ulong bit) {
  const word over = v << 63;
  return v >> 1 | (word)(over.s1234, over.s56, over.s7, bit << 63);
}

// Halo columns of one row: the vectors on both sides, and the cell after the last one if the row does not
// fill its vectors.
void write_halo_columns(global word* row, int stride, int width, int torus) {
  const int end_bit = width / stride, last = width - 1;
  global ulong* words = (global ulong*)row;
  const ulong left = torus ? words[last % stride * 8 + last / stride / 64] >> (last / stride % 64) & 1 : 0;
  const ulong right = torus ? words[0] & 1 : 0;
  if (end_bit < WORD_BITS) {
    const int at = width % stride * 8 + end_bit / 64, bit = end_bit % 64;
    words[at] = (words[at] & ~(1ul << bit)) | right << bit;
  }
  row[-1] = bits_up(row[stride - 1], left);
  row[stride] = bits_down(row[0], end_bit == WORD_BITS ? right : 0);
}

void clear_row(global word* row, int stride) {
  for (int j = -1; j <= stride; ++j) row[j] = (word)(0);
}

int modulo(int y, int height) {
  const int rest = y % height;
  return rest < 0 ? rest + height : rest;
}

void sweep(WORLD, global const uchar* from, global uchar* to, global uchar* scratch) {
  const int stride = (width + WORD_BITS - 1) / WORD_BITS, ring_row = stride + 2;
  const int top = get_group_id(0) * rows, bottom = min(top + rows, height + (height & 1));
  // Row y of generation g, 1 to steps - 1
#define RING_ROW(g, y) (rings + (((g)-1) * RING + ((y) & (RING - 1))) * ring_row)
  global word* rings = (global word*)scratch + (long)get_group_id(0) * (STEPS - 1) * RING * ring_row + 1;
  // Each generation computes WAVE rows before the next one follows, one row behind
  for (int front = top - steps + 2 + WAVE;; front += WAVE) {
    int end = 0;
    for (int g = 1; g <= steps; ++g) {
      const int begin = max(front - WAVE - g, top - steps + g);
      end = min(front - g, bottom + steps - g);
      if (begin >= end) continue;
      global const word* in[WAVE + 2];
      global word* out[WAVE];
      for (int i = 0; i < end - begin + 2; ++i) {
        const int y = begin - 1 + i;
        const bool dead = !torus && (y < 0 || y >= height);
        in[i] =
            g > 1 ? RING_ROW(g - 1, y) : ROW(global const word, from, dead ? DEAD_ROW : modulo(y, height));
      }
      for (int i = 0; i < end - begin; ++i) {
        const int y = begin + i;
        out[i] = g < steps ? RING_ROW(g, y) : ROW(global word, to, y);
      }
      make_rows(in, out, stride, end - begin);
      for (int i = 0; i < end - begin; ++i) {
        const int y = begin + i;
        if (!torus && (y < 0 || y >= height)) {
          clear_row(out[i], stride);
        } else {
          write_halo_columns(out[i], stride, width, torus);
        }
      }
    }
    if (front - steps >= bottom) break;
  }
}

kernel __attribute__((reqd_work_group_size(1, 1, 1))) void advance(WORLD, global const uchar* from,
                                                                   global uchar* to, global uchar* scratch) {
  sweep(width, height, torus, first, pitch, STEPS, rows, from, to, scratch);
}

kernel __attribute__((reqd_work_group_size(1, 1, 1))) void advance_some(WORLD, global const uchar* from,
                                                                        global uchar* to,
                                                                        global uchar* scratch) {
  sweep(width, height, torus, first, pitch, steps, rows, from, to, scratch);
}
