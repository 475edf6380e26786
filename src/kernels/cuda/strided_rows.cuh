// SPDX-License-Identifier: MIT
// A generation of the walk of cuda/strided: two rows of a lane enter, and two that are one generation older
// leave. For nvcc and, as text, for NVRTC; hence no includes.
//
// With MOOREA_BOUNDARY a row also has a mask of the cells beside the boundary, which never moves: it is found
// when the row arrives, and goes with the row from generation to generation.
//
// With MOOREA_BLOCKS the rule replaces blocks of 2 x 2 cells by MOOREA_NEXT_BLOCK(nw, ne, sw, se, next), and
// a generation keeps one row: the southern half of the last blocks, or a row that waits for the one below it.
//
// Include after cuda/strided_call.h, cuda/row_logic.cuh, cuda/state_logic.cuh and, for blocks,
// cuda/block_logic.cuh.
#ifndef MOOREA_KERNELS_STEP_STRIDED_ROWS_CUDA_H
#define MOOREA_KERNELS_STEP_STRIDED_ROWS_CUDA_H

using LaneRow = RowSignals<vectors_a_lane>;

#ifdef MOOREA_BOUNDARY
constexpr int signals_a_cell = digits + 1;  // the last one is 1 beside the boundary
#else
constexpr int signals_a_cell = digits;
#endif

// A lane's cells of a row.
struct LaneCells {
  word of[vectors_a_lane][signals_a_cell];
};

// State of a generation between pairs of rows: the last two rows.
struct Kept {
  LaneRow above, at;
};

// Vectors in shared memory, of which those of a lane are adjacent.
template <int signals>
__device__ __forceinline__ void load_cells(const word* from, LaneCells& cells) {
#pragma unroll
  for (int k = 0; k < signals; ++k) {
    const uint4 four = *reinterpret_cast<const uint4*>(from + k * strip);
    cells.of[0][k] = four.x, cells.of[1][k] = four.y, cells.of[2][k] = four.z, cells.of[3][k] = four.w;
  }
}
__device__ __forceinline__ void keep_cells(word* to, const LaneCells& cells) {
#pragma unroll
  for (int k = 0; k < signals_a_cell; ++k)
    *reinterpret_cast<uint4*>(to + k * strip) =
        make_uint4(cells.of[0][k], cells.of[1][k], cells.of[2][k], cells.of[3][k]);
}

__device__ __forceinline__ void add_row(const LaneCells& row, LaneRow& signals) {
  word live[vectors_a_lane];
#pragma unroll
  for (int i = 0; i < vectors_a_lane; ++i) live[i] = live_cells(row.of[i]);
  const word before = __shfl_up_sync(0xFFFFFFFF, live[vectors_a_lane - 1], 1);
  const word after = __shfl_down_sync(0xFFFFFFFF, live[0], 1);
  make_signals(live, before, after, signals);
}

#ifdef MOOREA_BOUNDARY
// Marks cells of a row that arrives if they, or those to the left or to the right, are in the boundary.
__device__ __forceinline__ void mark_boundary(LaneCells& row) {
  word boundary[vectors_a_lane];
#pragma unroll
  for (int i = 0; i < vectors_a_lane; ++i) boundary[i] = boundary_cells(row.of[i]);
  const word before = __shfl_up_sync(0xFFFFFFFF, boundary[vectors_a_lane - 1], 1);
  const word after = __shfl_down_sync(0xFFFFFFFF, boundary[0], 1);
#pragma unroll
  for (int i = 0; i < vectors_a_lane; ++i) {
    const word left = i == 0 ? before : boundary[i - 1];
    const word right = i == vectors_a_lane - 1 ? after : boundary[i + 1];
    row.of[i][digits] = left | boundary[i] | right;
  }
}

// Adds the marks of the rows above and below to those of rows a and b, which are adjacent; `above` has those
// of the row above a, and receives b's.
__device__ __forceinline__ void join_marks(word* above, LaneCells& a, LaneCells& b, const LaneCells& c) {
#pragma unroll
  for (int i = 0; i < vectors_a_lane; ++i) {
    const word at_a = a.of[i][digits], at_b = b.of[i][digits];
    a.of[i][digits] |= above[i] | at_b;
    b.of[i][digits] |= at_a | c.of[i][digits];
    above[i] = at_b;
  }
}

__device__ __forceinline__ word spare_boundary(word lives, word alive, word beside) {
  return LUT3(lives, alive, beside, 0x70);  // lives & ~(alive & beside)
}
#endif

#ifdef MOOREA_BLOCKS
// Consumes rows b and c, and replaces them by the next states of the row before b, and of b. If rows are
// `aligned`, b is the northern row of its blocks, else the southern one.
__device__ __forceinline__ void advance_pair(const Kept& old, Kept& fresh, LaneCells& b, LaneCells& c,
                                             bool aligned, bool shifted) {
  word north[vectors_a_lane], south[vectors_a_lane];
#pragma unroll
  for (int i = 0; i < vectors_a_lane; ++i) {
    north[i] = aligned ? b.of[i][0] : old.at.cells[i];
    south[i] = aligned ? c.of[i][0] : b.of[i][0];
  }
  next_blocks(north, south, shifted);
#pragma unroll
  for (int i = 0; i < vectors_a_lane; ++i) {
    fresh.at.cells[i] = aligned ? south[i] : c.of[i][0];
    b.of[i][0] = aligned ? old.at.cells[i] : north[i];
    c.of[i][0] = aligned ? north[i] : south[i];
  }
}
#else
// Consumes rows b and c, and replaces them by the next states of the row before b, and of b. With more than
// two states the cells of the row before b are in `waiting`, where those of c follow. `marks_above` is for
// rows that have just arrived, null for others.
__device__ __forceinline__ void advance_pair(const Kept& old, Kept& fresh, LaneCells& b, LaneCells& c,
                                             word* waiting, [[maybe_unused]] word* marks_above) {
  LaneRow at = old.at;
  LaneCells a;
  if (digits > 1) {
    load_cells<signals_a_cell>(waiting, a);
    keep_cells(waiting, c);
#pragma unroll
    for (int i = 0; i < vectors_a_lane; ++i) at.cells[i] = live_cells(a.of[i]);
  }
#ifdef MOOREA_BOUNDARY
  if (marks_above != nullptr) join_marks(marks_above, a, b, c);
#endif
  add_row(b, fresh.above);
  add_row(c, fresh.at);
#pragma unroll
  for (int i = 0; i < vectors_a_lane; ++i) {
    word lives_a, lives_b;
    next_rows(old.above, at, fresh.above, fresh.at, i, &lives_a, &lives_b);
#ifdef MOOREA_BOUNDARY
    lives_a = spare_boundary(lives_a, at.cells[i], a.of[i][digits]);
    lives_b = spare_boundary(lives_b, fresh.above.cells[i], b.of[i][digits]);
#endif
    advance_states(a.of[i], lives_a);
    advance_states(b.of[i], lives_b);
  }
  c = b;
  b = a;
}
#endif

#endif
