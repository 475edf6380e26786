// SPDX-License-Identifier: MIT
// Logic shared by cuda/strided, its variants and cuda/chip, for nvcc and, as text, for NVRTC; hence no
// includes. It is the only part of them that differs between rules that count and rules that do not.
//
// Include after `word` (32 bits), LUT3, and MOOREA_NEXT, a network for two rows as in common/networks.h, or
// MOOREA_NEXT_CELL, the next state as a function of nine cells, row by row, and MOOREA_GATES, its gates.
#ifndef MOOREA_KERNELS_STEP_ROW_LOGIC_CUDA_H
#define MOOREA_KERNELS_STEP_ROW_LOGIC_CUDA_H

// A lane's vectors of a row and, of the three cells around each column, the sum as ones and twos or, if the
// rule does not count, the left and the right cell. Those are cells of adjacent vectors, and occupy no
// registers of their own.
template <int vectors>
struct RowSignals {
#ifdef MOOREA_NEXT_CELL
  word left[vectors], right[vectors];
#else
  word ones[vectors], twos[vectors];
#endif
  word cells[vectors];
};

template <int vectors>
__device__ __forceinline__ void clear_signals(RowSignals<vectors>& row) {
#pragma unroll
  for (int i = 0; i < vectors; ++i) {
#ifdef MOOREA_NEXT_CELL
    row.left[i] = row.right[i] = 0;
#else
    row.ones[i] = row.twos[i] = 0;
#endif
    row.cells[i] = 0;
  }
}

// `before` and `after` are the vectors adjacent to those of the lane.
template <int vectors>
__device__ __forceinline__ void make_signals(const word* cells, word before, word after,
                                             RowSignals<vectors>& row) {
#pragma unroll
  for (int i = 0; i < vectors; ++i) {
    const word left = i == 0 ? before : cells[i - 1], right = i == vectors - 1 ? after : cells[i + 1];
#ifdef MOOREA_NEXT_CELL
    row.left[i] = left;
    row.right[i] = right;
#else
    row.ones[i] = LUT3(left, cells[i], right, 0x96);
    row.twos[i] = LUT3(left, cells[i], right, 0xE8);
#endif
    row.cells[i] = cells[i];
  }
}

// Next states of rows a and b, between rows t and u, in vector i.
template <int vectors>
__device__ __forceinline__ void next_rows(const RowSignals<vectors>& t, const RowSignals<vectors>& a,
                                          const RowSignals<vectors>& b, const RowSignals<vectors>& u, int i,
                                          word* next_a, word* next_b) {
#ifdef MOOREA_NEXT_CELL
  *next_a = MOOREA_NEXT_CELL(t.left[i], t.cells[i], t.right[i], a.left[i], a.cells[i], a.right[i], b.left[i],
                             b.cells[i], b.right[i]);
  *next_b = MOOREA_NEXT_CELL(a.left[i], a.cells[i], a.right[i], b.left[i], b.cells[i], b.right[i], u.left[i],
                             u.cells[i], u.right[i]);
#else
  MOOREA_NEXT(t.ones[i], t.twos[i], a.ones[i], a.twos[i], b.ones[i], b.twos[i], u.ones[i], u.twos[i],
              a.cells[i], b.cells[i], next_a, next_b);
#endif
}

#endif
