// SPDX-License-Identifier: MIT
// Rules by transitions with 32 strided columns per word and binary digit of the state, for nvcc and, as text,
// for NVRTC; hence no includes. The next states are gates, or look-ups in shared memory. A thread
// computes 32 cells at a time.
//
// Include after cuda/transitions_call.h and next_of_cells() of logic/transition_text.h.
#ifndef MOOREA_KERNELS_STEP_TRANSITIONS_CUDA_H
#define MOOREA_KERNELS_STEP_TRANSITIONS_CUDA_H

#ifndef DYNAMIC_SHARED
#define DYNAMIC_SHARED(name, number) extern __shared__ uint4 name[]
#endif

constexpr int cell_digits = CELL_DIGITS;

// A row of the world; null if it is beyond a plane's edge, where cells are dead.
__device__ __forceinline__ const word* row_at(const TransitionsCall& call, int row) {
  const bool is_outside = row < 0 || row >= call.height;
  if (is_outside && call.torus == 0) return nullptr;
  return call.from + (row < 0 ? row + call.height : is_outside ? row - call.height : row) * call.pitch;
}

__device__ __forceinline__ void load_cell(const word* row, int column, long long digit_pitch, word* cell) {
#pragma unroll
  for (int k = 0; k < cell_digits; ++k) cell[k] = row == nullptr ? 0 : row[column + k * digit_pitch];
}

template <class Tables>
__device__ __forceinline__ void step_cells(const TransitionsCall& call, Tables tables) {
  const auto* const bytes = reinterpret_cast<const unsigned char*>(tables);
  const long long digit_pitch = call.pitch / cell_digits;
  const long long first = static_cast<long long>(blockIdx.x) * transition_threads + threadIdx.x;
  const long long threads = static_cast<long long>(gridDim.x) * transition_threads;
  const int columns = static_cast<int>(threads % call.stride), rows = static_cast<int>(threads / call.stride);
  int x = static_cast<int>(first % call.stride), y = static_cast<int>(first / call.stride);
  while (y < call.height) {
    const word *const above = row_at(call, y - 1), *const own = row_at(call, y),
                      *const below = row_at(call, y + 1);
    // In the order in which a tree of Transitions asks
    word cells[CELL_CORNERS ? 9 : 5][cell_digits], next[16];
    constexpr int sides = CELL_CORNERS ? 4 : 0;
    if (CELL_CORNERS) {
      load_cell(above, x - 1, digit_pitch, cells[0]);
      load_cell(above, x + 1, digit_pitch, cells[1]);
      load_cell(below, x - 1, digit_pitch, cells[2]);
      load_cell(below, x + 1, digit_pitch, cells[3]);
    }
    load_cell(above, x, digit_pitch, cells[sides]);
    load_cell(own, x - 1, digit_pitch, cells[sides + 1]);
    load_cell(own, x + 1, digit_pitch, cells[sides + 2]);
    load_cell(below, x, digit_pitch, cells[sides + 3]);
    load_cell(own, x, digit_pitch, cells[sides + 4]);
    next_of_cells(&cells[0][0], bytes, next);
    word* const to = call.to + y * call.pitch + x;
#pragma unroll
    for (int k = 0; k < cell_digits; ++k) to[k * digit_pitch] = next[k];
    // The next of this thread's words, which are as many words apart as there are threads
    x += columns, y += rows;
    if (x >= call.stride) x -= call.stride, ++y;
  }
}

extern "C" __global__ void __launch_bounds__(transition_threads, 2)
    transitions_shared(const TransitionsCall call) {
  DYNAMIC_SHARED(tables, (TABLE_BYTES + 15) / 16);
  for (int i = static_cast<int>(threadIdx.x); i < (TABLE_BYTES + 15) / 16; i += transition_threads)
    tables[i] = call.tables[i];
  __syncthreads();
  step_cells(call, tables);
}

extern "C" __global__ void __launch_bounds__(transition_threads, 2)
    transitions_global(const TransitionsCall call) {
  step_cells(call, call.tables);
}

#endif
