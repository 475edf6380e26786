// SPDX-License-Identifier: MIT
// Logic of rules with more than two states for the walk of cuda/strided, for nvcc and, as text, for NVRTC;
// hence no includes. A cell is the binary digits of its state, a word each; cells of two states have one.
//
// Include after `word` (32 bits) and LUT3. MOOREA_STATES is the number of states; without it there are two.
// MOOREA_WIRES: rules of wires instead of Generations.
#ifndef MOOREA_KERNELS_STEP_STATE_LOGIC_CUDA_H
#define MOOREA_KERNELS_STEP_STATE_LOGIC_CUDA_H

#ifdef MOOREA_STATES
constexpr int states = MOOREA_STATES;
#else
constexpr int states = 2;
#endif

constexpr int digits_of(int largest) { return largest < 2 ? 1 : 1 + digits_of(largest / 2); }
constexpr int digits = digits_of(states - 1);

// Next state of a cell; `lives` is what the births and survivals say about it. On wires, state 3, they say
// where heads of electrons (1) begin, which become tails (2) and wires again.
constexpr int next_state(int state, bool lives) {
#ifdef MOOREA_WIRES
  return state == 3 && lives ? 1 : state == 0 || state == 3 ? state : state + 1;
#endif
  return state < 2 ? (lives ? 1 : states > 2 ? 2 * state : 0) : (state + 1) % states;
}

// Of two digits: digit `which` of the next state as a table of `lives` and of the digits, the upper one
// first. The table's other state, if there is one, may become anything.
constexpr int two_digit_table(int which) {
  int table = 0;
  for (int i = 0; i < 8; ++i) table |= (next_state(i & 3, i >> 2 != 0) >> which & 1) << i;
  return table;
}
constexpr int two_digit_tables[2] = {two_digit_table(0), two_digit_table(1)};

// Of three digits, the upper one first: digit `which` of the next state of dying cells, and these cells.
constexpr int three_digit_table(int which) {
  int table = 0;
  for (int state = 2; state < states && state < 8; ++state)
    table |= (next_state(state, false) >> which & 1) << state;
  return table;
}
constexpr int three_digit_tables[3] = {three_digit_table(0), three_digit_table(1), three_digit_table(2)};
constexpr int three_digits_dying = 0xFC, three_digits_live = 0x02;

__device__ __forceinline__ word dying_cells(const word* cell) {
  if constexpr (digits == 3) return LUT3(cell[2], cell[1], cell[0], three_digits_dying);
  word dying = 0;
#pragma unroll
  for (int i = 1; i < digits; ++i) dying |= cell[i];
  return dying;
}

// The cells in state 1, which are the only ones that have neighbours.
__device__ __forceinline__ word live_cells(const word* cell) {
  if constexpr (states <= 3) return cell[0];
  if constexpr (digits == 3) return LUT3(cell[2], cell[1], cell[0], three_digits_live);
  return cell[0] & ~dying_cells(cell);
}

// Replaces cells by their next states.
__device__ __forceinline__ void advance_states(word* cell, word lives) {
  if constexpr (digits == 1) {
    cell[0] = lives;
  } else if constexpr (digits == 2) {
    const word low = cell[0], high = cell[1];
    cell[0] = LUT3(lives, high, low, two_digit_tables[0]);
    cell[1] = LUT3(lives, high, low, two_digit_tables[1]);
  } else {
    const word dying = dying_cells(cell), starts = live_cells(cell) & ~lives;
    if constexpr (digits == 3) {
      const word next[3] = {LUT3(cell[2], cell[1], cell[0], three_digit_tables[0]),
                            LUT3(cell[2], cell[1], cell[0], three_digit_tables[1]),
                            LUT3(cell[2], cell[1], cell[0], three_digit_tables[2])};
      for (int i = 0; i < 3; ++i) cell[i] = next[i];
    } else {
      word is_last = ~word{0};
#pragma unroll
      for (int i = 0; i < digits; ++i) is_last &= ((states - 1) >> i & 1) != 0 ? cell[i] : ~word{0};
      word carry = dying & ~is_last;
      const word goes_on = carry;
#pragma unroll
      for (int i = 0; i < digits; ++i) {
        const word digit = cell[i];
        cell[i] = (digit ^ carry) & goes_on;
        carry &= digit;
      }
    }
    cell[0] |= lives & ~dying;
    cell[1] |= starts;
  }
}

#endif
