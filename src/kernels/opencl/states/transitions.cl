// SPDX-License-Identifier: MIT
// Rules by transitions of up to 256 states, with 32 strided columns per word and binary digit of the state.
// The next states are gates, if these are few, else a few look-ups for each cell. A work-item computes one
// word.
// @summary rules by transitions, 32 strided columns per word and digit, gates or look-ups
// @layout digits
// @lanes 32
// @item 32x1
// @group 64x1
// @families transitions
// @tables 1

typedef struct {
  global const uchar* from;
  int height, torus;
  long first, pitch;
} Field;

// The digits of the cells of a word, `dy` rows below row y; -1, ... are words of the halo.
void load_cell(const Field* field, int y, int dy, int column, uint* cell) {
  int at = y + dy;
  const bool is_outside = at < 0 || at >= field->height;
  if (is_outside) at = at < 0 ? at + field->height : at - field->height;
  global const uint* row = (global const uint*)(field->from + field->first + at * field->pitch) + column;
#pragma unroll
  for (int k = 0; k < CELL_DIGITS; ++k)
    cell[k] = is_outside && !field->torus ? 0 : row[k * (field->pitch / 4 / CELL_DIGITS)];
}

kernel void advance(WORLD, global const uchar* from, global uchar* to, global const uchar* tables) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x >= (width + 31) / 32 || y >= height) return;
  const Field field = {from, height, torus, first, pitch};
  // In the order in which a tree of Transitions asks
  uint cells[(CELL_CORNERS ? 9 : 5) * CELL_DIGITS], next[16];
  uint* asked = cells;
#if CELL_CORNERS
  load_cell(&field, y, -1, x - 1, asked);
  load_cell(&field, y, -1, x + 1, asked + CELL_DIGITS);
  load_cell(&field, y, 1, x - 1, asked + 2 * CELL_DIGITS);
  load_cell(&field, y, 1, x + 1, asked + 3 * CELL_DIGITS);
  asked += 4 * CELL_DIGITS;
#endif
  load_cell(&field, y, -1, x, asked);
  load_cell(&field, y, 0, x - 1, asked + CELL_DIGITS);
  load_cell(&field, y, 0, x + 1, asked + 2 * CELL_DIGITS);
  load_cell(&field, y, 1, x, asked + 3 * CELL_DIGITS);
  load_cell(&field, y, 0, x, asked + 4 * CELL_DIGITS);
  next_of_cells(cells, tables, next);
  global uint* at = ROW(global uint, to, y) + x;
#pragma unroll
  for (int k = 0; k < CELL_DIGITS; ++k) at[k * (pitch / 4 / CELL_DIGITS)] = next[k];
}
