// SPDX-License-Identifier: MIT
// Device code shared by cuda/strided and its variants, for nvcc and, as text, for NVRTC; hence no includes.
//
// A warp processes a strip of 128 vectors of 32 columns from top to bottom, two rows at a time, with six
// generations in its registers (temporal blocking): rows computed for one generation enter the next, which
// lags one row behind. A generation keeps the signals of the last two rows. A
// lane has four vectors; a vector at each edge of the strip becomes invalid with every generation, so strips
// overlap. Rows arrive by asynchronous copies through a ring buffer in shared memory, six rows ahead, because
// the latency of memory exceeds one turn. No register moves: state alternates between two sets, by unrolling.
//
// Cells with more than two states have a row of vectors for each binary digit of their states. Between two
// turns their digits wait in shared memory: in registers there would be room for fewer generations.
//
// Include after cuda/strided_call.h, cuda/row_logic.cuh, cuda/state_logic.cuh, cuda/block_logic.cuh for
// blocks, and cuda/strided_rows.cuh.
#ifndef MOOREA_KERNELS_STEP_STRIDED_WALK_CUDA_H
#define MOOREA_KERNELS_STEP_STRIDED_WALK_CUDA_H

#ifdef MOOREA_NEXT_PAIR
// Networks of nine cells may be large. Then their code has no copy of a turn for the first ones, in which not
// all generations have rows and the others compute what is never used, and no second copy in its loop, if
// that would exceed the instruction cache.
constexpr bool is_short = depth * MOOREA_GATES <= 100;
constexpr bool begins_gradually = depth > 2 && is_short;
constexpr int turns_at_once = is_short ? 2 : 1;
#else
constexpr bool begins_gradually = digits <= 2;
constexpr int turns_at_once = 2;
#endif

// Asynchronous copies, which overlap with the computation; synchronous on GPUs before Ampere.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
__device__ __forceinline__ void copy_ahead(word* to, const word* from) {
  const auto shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"(shared), "l"(from) : "memory");
}
__device__ __forceinline__ void end_group() { asm volatile("cp.async.commit_group;" : : : "memory"); }
template <int under_way>
__device__ __forceinline__ void await_groups() {
  asm volatile("cp.async.wait_group %0;" : : "n"(under_way) : "memory");
}
#else
__device__ __forceinline__ void copy_ahead(word* to, const word* from) {
  *reinterpret_cast<uint4*>(to) = *reinterpret_cast<const uint4*>(from);
}
__device__ __forceinline__ void end_group() {}
template <int under_way>
__device__ __forceinline__ void await_groups() {}
#endif

__device__ __forceinline__ unsigned sum_of_warp(unsigned value) {
  for (int lanes = 16; lanes > 0; lanes /= 2) value += __shfl_xor_sync(0xFFFFFFFF, value, lanes);
  return value;
}
__device__ __forceinline__ int warp_minimum(int value) {
  for (int lanes = 16; lanes > 0; lanes /= 2) value = min(value, __shfl_xor_sync(0xFFFFFFFF, value, lanes));
  return value;
}

// Position of a lane's vectors, and the rows that it computes.
struct LanePlace {
  int vector;  // first of its four, a multiple of four; outside a row it holds halo columns
  int first_row, rows;
  bool stores_first, stores_second;  // the first two of the four, and the others
};

// Compile-time options of a walk; several of its kernels differ in nothing else.
template <bool general_, bool lazy_, bool counts_>
struct WalkForm {
  static constexpr bool general = general_;  // any number of steps, and planes, whose outside is kept dead
  static constexpr bool lazy = lazy_;        // records which groups of rows changed
  static constexpr bool counts = counts_;    // counts the live cells of each generation
  static constexpr int ring_rows = lazy_ ? 16 : 8;  // lazy kernels keep more rows, to compare with
  // Words of shared memory: the ring, and the cells of a row of each generation
  static constexpr int shared_words =
      (ring_rows * digits + (digits > 1 ? depth : 0) * signals_a_cell) * strip;
};

template <int value_>
struct Number {
  static constexpr int value = value_;
};

// Computes `rows` rows, an even number and the same for all lanes, of which each stores its own. `changed`
// receives a word for each group of rows; then `rows` is a multiple of rows_a_group.
template <class Form>
__device__ __forceinline__ void walk(const StridedCall& call, const LanePlace& place, int rows, word* shared,
                                     word* changed) {
  constexpr bool general = Form::general;
  constexpr int row_words = digits * strip, pair_words = 2 * row_words, ring_pairs = Form::ring_rows / 2;
  constexpr int waiting_words = signals_a_cell * strip;
  constexpr int ahead = 3;  // pairs of rows in flight
  const int lane = static_cast<int>(threadIdx.x);
  const int steps = general ? call.steps : depth;
  int vector = place.vector;
  // Vectors beyond an end of a joined row are those of the opposite end, rotated by one bit
  int turned = 0;
  if (call.wrapped && vector < 0) {
    vector += call.stride;
    turned = 1;
  } else if (call.wrapped && vector >= call.stride) {
    vector = min(vector - call.stride, 2 * depth);
    turned = 31;
  } else {
    // Lanes far after the row's end read unused values within its memory
    vector = min(vector, (call.stride + 28) & ~3);
  }
  const bool at_end = !general && __any_sync(0xFFFFFFFF, turned != 0);

  // Bits that are cells of the world, also for vectors outside a row
  word alive[vectors_a_lane];
#pragma unroll
  for (int i = 0; i < vectors_a_lane; ++i) {
    const int at = place.vector + i, below = call.width - at;
    const int first_bit = at < 0 ? (call.stride - 1 - at) / call.stride : 0;
    const int bits = below > 0 ? (below - 1) / call.stride + 1 : 0;
    alive[i] = (bits < 32 ? (word{1} << bits) - 1 : ~word{0}) & (first_bit < 32 ? ~word{0} << first_bit : 0);
  }
  // Clears what lies outside the world in one of its rows
  const auto confine = [&](LaneCells& row, int y) {
    if (call.torus) return;
    const bool inside = y >= 0 && y < call.height;
#pragma unroll
    for (int i = 0; i < vectors_a_lane; ++i) {
#pragma unroll
      for (int k = 0; k < digits; ++k) row.of[i][k] = inside ? row.of[i][k] & alive[i] : 0;
    }
  };

  int y = (place.first_row - steps) % call.height;
  if (y < 0) y += call.height;
  // A product by the multiplier, which the logic does not need, instead of sums and selections
  const auto pitch_bytes = static_cast<unsigned>(call.pitch) * static_cast<unsigned>(sizeof(word));
  const auto row_at = [&](auto* column, int row) {
    return column + static_cast<unsigned long long>(static_cast<unsigned>(row)) * pitch_bytes;
  };
  const auto row_at_digit = [&](auto* row, int digit) {
    return row + static_cast<unsigned long long>(static_cast<unsigned>(digit)) * (pitch_bytes / digits);
  };
  const char* const column = reinterpret_cast<const char*>(call.from + vector);
  word* const own = shared + lane * vectors_a_lane;
  word* const waiting = own + Form::ring_rows * row_words;
  const auto fetch = [&](word* to) {
    const char* const from = row_at(column, y);
#pragma unroll
    for (int k = 0; k < digits; ++k)
      copy_ahead(to + k * strip, reinterpret_cast<const word*>(row_at_digit(from, k)));
    ++y;
    y = y == call.height ? 0 : y;
  };
  const auto fetch_pair = [&](word* to) {
    fetch(to);
    fetch(to + row_words);
    end_group();
  };
  const auto rotate = [&](LaneCells& cells) {
#pragma unroll
    for (int i = 0; i < vectors_a_lane; ++i) {
#pragma unroll
      for (int k = 0; k < digits; ++k)
        cells.of[i][k] = __funnelshift_l(cells.of[i][k], cells.of[i][k], turned);
    }
  };
  char* const out_column = reinterpret_cast<char*>(call.to + place.first_row * call.pitch + place.vector);
  word differs = 0;
  const auto store = [&](int row, const LaneCells& cells, const LaneCells& before) {
    char* const out_row = row_at(out_column, row);
#pragma unroll
    for (int k = 0; k < digits; ++k) {
      word* const out = reinterpret_cast<word*>(row_at_digit(out_row, k));
      if (!Form::lazy && stores_sectors) {  // a lane stores all of its vectors or none
        if (place.stores_first)
          *reinterpret_cast<uint4*>(out) =
              make_uint4(cells.of[0][k], cells.of[1][k], cells.of[2][k], cells.of[3][k]);
        continue;
      }
      const auto is_different = [&](int i) { return cells.of[i][k] ^ before.of[i][k]; };
      if (place.stores_first) {
        *reinterpret_cast<uint2*>(out) = make_uint2(cells.of[0][k], cells.of[1][k]);
        if (Form::lazy) differs |= is_different(0);
        if (Form::lazy && place.vector + 1 < call.stride) differs |= is_different(1);
      }
      if (place.stores_second) {
        *reinterpret_cast<uint2*>(out + 2) = make_uint2(cells.of[2][k], cells.of[3][k]);
        if (Form::lazy) differs |= is_different(2);
        if (Form::lazy && place.vector + 3 < call.stride) differs |= is_different(3);
      }
    }
  };
  // Live cells in the lane's own rows of each generation, in its first two and in its other vectors
  unsigned live[depth][2] = {};
  const auto is_own = [&](int row) { return static_cast<unsigned>(row) < static_cast<unsigned>(place.rows); };
  const auto count = [&](const LaneCells& row, unsigned* sums) {
    sums[0] += static_cast<unsigned>(__popc(row.of[0][0]) + __popc(row.of[1][0]));
    sums[1] += static_cast<unsigned>(__popc(row.of[2][0]) + __popc(row.of[3][0]));
  };
  const auto count_confined = [&](const LaneCells& row, unsigned* sums) {
#pragma unroll
    for (int i = 0; i < vectors_a_lane; ++i)
      sums[i / 2] +=
          place.vector + i < call.stride ? static_cast<unsigned>(__popc(row.of[i][0] & alive[i])) : 0;
  };

  Kept even[depth], odd[depth];
#pragma unroll
  for (int g = 0; g < depth; ++g) {
    clear_signals(even[g].above);
    clear_signals(even[g].at);
    if (digits > 1) keep_cells(waiting + g * waiting_words, {});
  }
  [[maybe_unused]] word marks_above[vectors_a_lane] = {};
#pragma unroll
  for (int pair = 0; pair < ahead; ++pair) fetch_pair(own + pair * pair_words);

  const int turns = rows / 2 + steps;
  const auto in_ring = [&](int pair) { return own + (pair & (ring_pairs - 1)) * pair_words; };
  const auto note_changes = [&](int group) {
    const word lanes = __ballot_sync(0xFFFFFFFF, differs != 0);
    if (lane == 0) changed[group] = lanes;
    differs = 0;
  };
  // Two turns, or one. `begun` is the number of generations that have rows; in steady turns all rows of all
  // generations are the lane's own. Counting code of more than two turns exceeds the instruction cache.
  const auto walk_on = [&](int begin, auto generations_begun, auto is_steady) {
    constexpr int begun = decltype(generations_begun)::value;
    constexpr bool steady = decltype(is_steady)::value;
#pragma unroll
    for (int odd_turn = 0; odd_turn < turns_at_once; ++odd_turn) {
      const int turn = begin + odd_turn;
      const int done = 2 * (turn - steps);  // row of the segment that is complete first
      if (Form::lazy && odd_turn == 0 && steps == depth && done > 0 && done % rows_a_group == 0)
        note_changes(done / rows_a_group - 1);
      await_groups<ahead - 1>();  // this pair has arrived
      LaneCells b, c;
      const word* const here = in_ring(begin) + odd_turn * pair_words;
      load_cells<digits>(here, b);
      load_cells<digits>(here + row_words, c);
      if (at_end) {
        rotate(b);
        rotate(c);
      }
      fetch_pair(in_ring(turn + ahead));
      if (general) {
        confine(b, place.first_row - steps + 2 * turn);
        confine(c, place.first_row - steps + 2 * turn + 1);
      }
#ifdef MOOREA_BOUNDARY
      mark_boundary(b);
      mark_boundary(c);
#endif
#pragma unroll
      for (int g = 0; g < depth; ++g) {
        if (g >= begun + odd_turn) break;
        if (general && g >= steps) break;
#ifdef MOOREA_BLOCKS
        advance_pair(odd_turn == 0 ? even[g] : odd[g], odd_turn == 0 ? odd[g] : even[g], b, c,
                     ((steps + call.odd) & 1) == 0, ((g + call.odd) & 1) != 0);
#else
        advance_pair(odd_turn == 0 ? even[g] : odd[g], odd_turn == 0 ? odd[g] : even[g], b, c,
                     waiting + g * waiting_words, g == 0 ? marks_above : nullptr);
#endif
        const int at = 2 * turn - steps - g - 1;  // row of the segment
        if (general) {
          confine(b, place.first_row + at);
          confine(c, place.first_row + at + 1);
        }
        if (Form::counts && general) {
          if (is_own(at)) count_confined(b, live[g]);
          if (is_own(at + 1)) count_confined(c, live[g]);
        } else if (Form::counts) {
          if (steady || is_own(at)) count(b, live[g]);
          if (steady || is_own(at + 1)) count(c, live[g]);
        }
      }
      if (begun + odd_turn < depth && !general) continue;
      LaneCells before_b = {}, before_c = {};
      if (Form::lazy) {
        // These rows as they arrived, three turns ago
        const word* const was = in_ring(turn - depth / 2);
        load_cells<digits>(was, before_b);
        load_cells<digits>(was + row_words, before_c);
      }
      if (is_own(done)) store(done, b, before_b);
      if (is_own(done + 1)) store(done + 1, c, before_c);
    }
    if (turns_at_once == 1) {
#pragma unroll
      for (int g = 0; g < depth; ++g) even[g] = odd[g];
    }
  };
  int begin = 0;
  if (begins_gradually) {
    walk_on(0, Number<1>(), Number<0>());
    walk_on(2, Number<3>(), Number<0>());
    begin = 4;
  }
  if (Form::counts && !general && begins_gradually) {
    walk_on(begin, Number<depth>(), Number<0>());
    begin += 2;
    // The lanes whose cells are stored have at least this many rows
    const int min_rows =
        warp_minimum(place.stores_first || place.stores_second ? min(place.rows, rows) : rows);
    for (; 2 * begin + 2 - depth < min_rows; begin += 2) walk_on(begin, Number<depth>(), Number<1>());
  }
  for (; begin < turns; begin += turns_at_once) walk_on(begin, Number<depth>(), Number<0>());
  if (Form::lazy && steps == depth) note_changes(rows / rows_a_group - 1);
  await_groups<0>();  // otherwise they would arrive in another walk's ring

  if (Form::counts) {
#pragma unroll
    for (int g = 0; g < depth; ++g) {
      const unsigned sum =
          sum_of_warp((place.stores_first ? live[g][0] : 0) + (place.stores_second ? live[g][1] : 0));
      if (lane == 0 && sum != 0 && g < steps)
        atomicAdd(call.populations + g, static_cast<unsigned long long>(sum));
    }
  }
}

#endif
