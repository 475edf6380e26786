// SPDX-License-Identifier: MIT
// Larger than Life with 32 strided columns per word, for nvcc and, as text, for NVRTC; hence no includes.
// Counts are numbers of several words, a binary digit of 32 cells in each.
//
// A thread block computes a strip of columns from top to bottom. Of squares each thread keeps the sums of
// some columns over the rows of the neighbourhood, to which a row is added and from which one is subtracted;
// all threads read them from shared memory, where a window slides over them. In other neighbourhoods the
// cells at both ends of each run of neighbours are added and subtracted. Cells with more than two states have
// a row of vectors for each binary digit of their states; only the live ones are counted.
//
// Include after cuda/wide_call.h, `word`, LUT3, cuda/state_logic.cuh, and of the rule MOOREA_RADIUS,
// MOOREA_COUNT_DIGITS of its counts, lives_by(count, alive), which are the cells that are born or survive,
// and MOOREA_SQUARE or wide_cells, wide_runs, run_dy, run_first and run_last, as kernels/contract/states.h
// describes them.
#ifndef MOOREA_KERNELS_STEP_WIDE_CUDA_H
#define MOOREA_KERNELS_STEP_WIDE_CUDA_H

constexpr int radius = MOOREA_RADIUS, count_digits = MOOREA_COUNT_DIGITS;
constexpr int parts = (count_digits + 1) / 2;                          // digits of a column's sum
constexpr int sum_columns = wide_strip + wide_strip / columns_a_lane;  // apart in different banks

__device__ __forceinline__ word xor3(word a, word b, word c) { return LUT3(a, b, c, 0x96); }
__device__ __forceinline__ word majority(word a, word b, word c) { return LUT3(a, b, c, 0xE8); }

// Adds a number of `number_digits` digits.
template <int number_digits>
__device__ __forceinline__ void add_number(word* sum, const word* number) {
  word carry = 0;
#pragma unroll
  for (int k = 0; k < count_digits; ++k) {
    const word part = k < number_digits ? number[k] : 0, next = majority(sum[k], part, carry);
    sum[k] = xor3(sum[k], part, carry);
    carry = next;
  }
}

// Adds the difference of two numbers.
template <int number_digits>
__device__ __forceinline__ void add_difference(word* sum, const word* in, const word* out) {
  word difference[number_digits], lent = 0, carry = 0;
#pragma unroll
  for (int k = 0; k < number_digits; ++k) {
    difference[k] = xor3(in[k], out[k], lent);
    lent = LUT3(in[k], out[k], lent, 0x8E);  // majority of the first one's complement
  }
#pragma unroll
  for (int k = 0; k < count_digits; ++k) {
    const word part = k < number_digits ? difference[k] : lent;  // the sign goes on
    const word next = majority(sum[k], part, carry);
    sum[k] = xor3(sum[k], part, carry);
    carry = next;
  }
}

// Rows of the world, also beyond its edges, where those of a plane are dead; `digit_pitch` is the distance of
// the digits of a row.
struct WideRows {
  const WideCall& call;
  const long long digit_pitch = call.pitch / digits;

  __device__ __forceinline__ const word* row(int y) const {
    y %= call.height;
    return call.from + (y < 0 ? y + call.height : y) * call.pitch;
  }
  __device__ __forceinline__ bool is_dead(int y) const { return !call.torus && (y < 0 || y >= call.height); }
  __device__ __forceinline__ void load(const word* at, word* cell) const {
#pragma unroll
    for (int k = 0; k < digits; ++k) cell[k] = at[k * digit_pitch];
  }
  __device__ __forceinline__ word live(const word* at) const {
    word cell[digits];
    load(at, cell);
    return live_cells(cell);
  }
  // Stores the next states of the cells at a place, of which `lives` are born or survive.
  __device__ __forceinline__ void store(long long place, word lives) const {
    word cell[digits];
    load(call.from + place, cell);
    advance_states(cell, lives);
#pragma unroll
    for (int k = 0; k < digits; ++k) call.to[place + k * digit_pitch] = cell[k];
  }
};

#ifdef MOOREA_SQUARE

__device__ __forceinline__ int place_of(int column) { return column + column / columns_a_lane; }

__device__ __forceinline__ void step_wide(const WideCall& call) {
  __shared__ word sums[2][parts + 1][sum_columns];  // of alternating rows; the last are the cells themselves
  constexpr int useful = wide_strip - 2 * radius;
  const WideRows rows = {call};
  const int thread = static_cast<int>(threadIdx.x);
  const int strip_begins = static_cast<int>(blockIdx.x) * useful - radius;
  const int first_row = static_cast<int>(blockIdx.y) * call.segment_rows;
  const int last_row = min(first_row + call.segment_rows, call.height);
  word sum[columns_a_lane][parts];
  int vector[columns_a_lane];
#pragma unroll
  for (int i = 0; i < columns_a_lane; ++i) {
    // What lies farther after the row's end is not used
    vector[i] = min(strip_begins + thread + i * wide_threads, call.stride + radius - 1);
#pragma unroll
    for (int k = 0; k < parts; ++k) sum[i][k] = 0;
  }
  const auto cell_at = [&](const word* row, bool dead, int i) {
    return dead ? 0 : rows.live(row + vector[i]);
  };
  for (int y = first_row - radius; y < first_row + radius; ++y) {
    const word* const row = rows.row(y);
    const bool dead = rows.is_dead(y);
#pragma unroll
    for (int i = 0; i < columns_a_lane; ++i) {
      word carry = cell_at(row, dead, i);
#pragma unroll
      for (int k = 0; k < parts; ++k) {
        const word digit = sum[i][k];
        sum[i][k] = digit ^ carry;
        carry &= digit;
      }
    }
  }
  for (int y = first_row; y < last_row; ++y) {
    const int in = y + radius, out = y - radius - 1;
    const word *const in_row = rows.row(in), *const out_row = rows.row(out), *const at_row = rows.row(y);
    const bool nothing_in = rows.is_dead(in), nothing_out = y == first_row || rows.is_dead(out);
    word(*const shared)[sum_columns] = sums[y & 1];
#pragma unroll
    for (int i = 0; i < columns_a_lane; ++i) {
      const word leaves = cell_at(out_row, nothing_out, i);
      word changes = cell_at(in_row, nothing_in, i) ^ leaves;
      const int place = place_of(thread + i * wide_threads);
#pragma unroll
      for (int k = 0; k < parts; ++k) {
        const word digit = sum[i][k];
        sum[i][k] = digit ^ changes;
        changes &= digit ^ leaves;
        shared[k][place] = sum[i][k];
      }
      shared[parts][place] = rows.live(at_row + vector[i]);
    }
    // The sums of a row are there; those of the next one go elsewhere
    __syncthreads();
    const int column =
        thread * columns_a_lane;  // of the first window, whose centre is `radius` columns later
    if (column < useful) {
      word count[count_digits], in_sum[parts], out_sum[parts];
#pragma unroll
      for (int k = 0; k < count_digits; ++k) count[k] = 0;
      const auto load_sum = [&](int at, word* to) {
#pragma unroll
        for (int k = 0; k < parts; ++k) to[k] = shared[k][place_of(at)];
      };
      for (int j = 0; j < 2 * radius; ++j) {
        load_sum(column + j, in_sum);
        add_number<parts>(count, in_sum);
      }
#pragma unroll
      for (int k = 0; k < parts; ++k) out_sum[k] = 0;
      const long long place = y * call.pitch + strip_begins + radius + column;
#pragma unroll
      for (int i = 0; i < columns_a_lane; ++i) {
        if (column + i >= useful || strip_begins + radius + column + i >= call.stride) break;
        if (i > 0) load_sum(column + i - 1, out_sum);
        load_sum(column + i + 2 * radius, in_sum);
        add_difference<parts>(count, in_sum, out_sum);
        rows.store(place + i, lives_by(count, shared[parts][place_of(column + i + radius)]));
      }
    }
  }
}

#else

// Adds the cells input(0) to input(number - 1), seven at a time.
template <class Input>
__device__ __forceinline__ void add_cells(word* sum, int number, const Input& input) {
  for (int i = 0; i < number; i += 7) {
    word cell[7];
#pragma unroll
    for (int k = 0; k < 7; ++k) cell[k] = i + k < number ? input(i + k) : 0;
    const word low = xor3(cell[0], cell[1], cell[2]), other = xor3(cell[3], cell[4], cell[5]);
    const word twos = majority(cell[0], cell[1], cell[2]), more = majority(cell[3], cell[4], cell[5]);
    const word last = majority(low, other, cell[6]);
    const word seven[3] = {xor3(low, other, cell[6]), xor3(twos, more, last), majority(twos, more, last)};
    add_number<3>(sum, seven);
  }
}

__device__ __forceinline__ void step_wide(const WideCall& call) {
  const WideRows rows = {call};
  const int vector =
      (static_cast<int>(blockIdx.x) * wide_threads + static_cast<int>(threadIdx.x)) * columns_a_lane;
  const int first_row = static_cast<int>(blockIdx.y) * call.segment_rows;
  const int last_row = min(first_row + call.segment_rows, call.height);
  constexpr bool slides = wide_cells > 2 * wide_runs;
  for (int y = first_row; y < last_row; ++y) {
    const auto cell_at = [&](int dy, int column) {
      return rows.is_dead(y + dy) ? 0 : rows.live(rows.row(y + dy) + column);
    };
    word count[count_digits];
    for (int i = 0; i < columns_a_lane && vector + i < call.stride; ++i) {
      const int column = vector + i;
      if (i == 0 || !slides) {
#pragma unroll
        for (int k = 0; k < count_digits; ++k) count[k] = 0;
        for (int n = 0; n < wide_runs; ++n)
          add_cells(count, run_last[n] - run_first[n] + 1,
                    [&](int k) { return cell_at(run_dy[n], column + run_first[n] + k); });
      } else {
        word in[count_digits], out[count_digits];
#pragma unroll
        for (int k = 0; k < count_digits; ++k) in[k] = out[k] = 0;
        add_cells(in, wide_runs, [&](int n) { return cell_at(run_dy[n], column + run_last[n]); });
        add_cells(out, wide_runs, [&](int n) { return cell_at(run_dy[n], column + run_first[n] - 1); });
        add_difference<count_digits>(count, in, out);
      }
      rows.store(y * call.pitch + column, lives_by(count, cell_at(0, column)));
    }
  }
}

#endif

extern "C" __global__ void __launch_bounds__(wide_threads) wide_step(WideCall call) { step_wide(call); }

#endif
