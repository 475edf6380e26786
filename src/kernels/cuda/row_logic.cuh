// SPDX-License-Identifier: MIT
// Logic shared by cuda/strided, its variants and cuda/chip, for nvcc and, as text, for NVRTC; hence no
// includes. It is the only part of them that differs between rules that count and rules that do not.
//
// Include after `word` (32 bits), LUT3, and MOOREA_NEXT, a network for two rows as in common/networks.h, or
// MOOREA_NEXT_PAIR, one for two rows of which each is an array of the three cells around a column and the
// row's gates; MOOREA_NEXT_PAIR_ROW, which computes those if MOOREA_ROW_GATES, their number, is not 0; and
// MOOREA_GATES, the number of all gates per word.
#ifndef MOOREA_KERNELS_STEP_ROW_LOGIC_CUDA_H
#define MOOREA_KERNELS_STEP_ROW_LOGIC_CUDA_H

// A lane's vectors of a row and, of the three cells around each column, the sum as ones and twos or, if the
// rule does not count, the left and the right cell, and the row's gates. The left and the right cell are
// those of adjacent vectors, and occupy no registers of their own.
template <int vectors>
struct RowSignals {
#ifdef MOOREA_NEXT_PAIR
  word left[vectors], right[vectors];
#if MOOREA_ROW_GATES > 0
  word gates[vectors][MOOREA_ROW_GATES];
#endif
#else
  word ones[vectors], twos[vectors];
#endif
  word cells[vectors];
};

// Of dead cells; the row's gates are 0 too.
template <int vectors>
__device__ __forceinline__ void clear_signals(RowSignals<vectors>& row) {
#pragma unroll
  for (int i = 0; i < vectors; ++i) {
#ifdef MOOREA_NEXT_PAIR
    row.left[i] = row.right[i] = 0;
#if MOOREA_ROW_GATES > 0
#pragma unroll
    for (int k = 0; k < MOOREA_ROW_GATES; ++k) row.gates[i][k] = 0;
#endif
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
#ifdef MOOREA_NEXT_PAIR
    row.left[i] = left;
    row.right[i] = right;
#if MOOREA_ROW_GATES > 0
    MOOREA_NEXT_PAIR_ROW(left, cells[i], right, row.gates[i]);
#endif
#else
    row.ones[i] = LUT3(left, cells[i], right, 0x96);
    row.twos[i] = LUT3(left, cells[i], right, 0xE8);
#endif
    row.cells[i] = cells[i];
  }
}

#ifdef MOOREA_NEXT_PAIR
// Signals of a row around the column of vector i, as MOOREA_NEXT_PAIR reads them.
template <int vectors>
__device__ __forceinline__ void gather_signals(const RowSignals<vectors>& row, int i, word* signals) {
  signals[0] = row.left[i];
  signals[1] = row.cells[i];
  signals[2] = row.right[i];
#if MOOREA_ROW_GATES > 0
#pragma unroll
  for (int k = 0; k < MOOREA_ROW_GATES; ++k) signals[3 + k] = row.gates[i][k];
#endif
}
#endif

// Next states of rows a and b, between rows t and u, in vector i.
template <int vectors>
__device__ __forceinline__ void next_rows(const RowSignals<vectors>& t, const RowSignals<vectors>& a,
                                          const RowSignals<vectors>& b, const RowSignals<vectors>& u, int i,
                                          word* next_a, word* next_b) {
#ifdef MOOREA_NEXT_PAIR
  word rows[4][3 + MOOREA_ROW_GATES];
  gather_signals(t, i, rows[0]);
  gather_signals(a, i, rows[1]);
  gather_signals(b, i, rows[2]);
  gather_signals(u, i, rows[3]);
  MOOREA_NEXT_PAIR(rows[0], rows[1], rows[2], rows[3], next_a, next_b);
#else
  MOOREA_NEXT(t.ones[i], t.twos[i], a.ones[i], a.twos[i], b.ones[i], b.twos[i], u.ones[i], u.twos[i],
              a.cells[i], b.cells[i], next_a, next_b);
#endif
}

#endif
