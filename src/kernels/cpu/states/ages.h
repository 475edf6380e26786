// SPDX-License-Identifier: MIT
// Cells of Generations in bit planes: the live ones, then the binary digits of the ages of dying ones.
//
// Include inside an unnamed namespace, after defining for the type `word` spread(bit), which is all bits 0 or
// all bits 1.
#ifndef MOOREA_KERNELS_STEP_AGES_H
#define MOOREA_KERNELS_STEP_AGES_H

// Next cells, of which those in `lives` are born or survive where they are not dying. Ages are counted up;
// from the last one cells are dead.
static inline void next_generation(const word* cell, word* to, int digits, int states, word lives) {
  const auto last_age = static_cast<unsigned>(states) - 2;
  word dying = spread(0), is_last = spread(1);
  for (int i = 0; i < digits; ++i) {
    dying |= cell[i + 1];
    if ((last_age >> i & 1) != 0) is_last &= cell[i + 1];
  }
  const word goes_on = dying & ~is_last, starts = cell[0] & ~lives;
  word carry = spread(1);
  for (int i = 0; i < digits; ++i) {
    const word digit = cell[i + 1];
    to[i + 1] = (digit ^ carry) & goes_on;
    carry &= digit;
  }
  to[0] = lives & ~dying;
  to[1] |= starts;
}

#endif
