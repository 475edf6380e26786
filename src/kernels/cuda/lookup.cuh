// SPDX-License-Identifier: MIT
// Rules by transitions with 32 strided columns per word and binary digit of the state, for nvcc and, as text,
// for NVRTC; hence no includes. Digits are transposed to the codes of cells, and a few look-ups in shared
// memory for each cell are equal to the rule's decision tree. A thread computes 32 cells at a time.
//
// Include after cuda/lookup_call.h and next_by_lookups() of logic/lookup_text.h.
#ifndef MOOREA_KERNELS_STEP_LOOKUP_CUDA_H
#define MOOREA_KERNELS_STEP_LOOKUP_CUDA_H

#ifndef DYNAMIC_SHARED
#define DYNAMIC_SHARED(name, number) extern __shared__ uint4 name[]
#endif

constexpr int cell_digits = LOOKUP_DIGITS;

// A row of the world; null if it is beyond a plane's edge, where cells are dead.
__device__ __forceinline__ const word* row_at(const LookupCall& call, int row) {
  const bool is_outside = row < 0 || row >= call.height;
  if (is_outside && call.torus == 0) return nullptr;
  return call.from + (row < 0 ? row + call.height : is_outside ? row - call.height : row) * call.pitch;
}

__device__ __forceinline__ void load_cell(const word* row, int column, long long digit_pitch, word* cell) {
#pragma unroll
  for (int k = 0; k < cell_digits; ++k) cell[k] = row == nullptr ? 0 : row[column + k * digit_pitch];
}

template <class Tables>
__device__ __forceinline__ void look_up_cells(const LookupCall& call, Tables tables) {
  const auto* const bytes = reinterpret_cast<const unsigned char*>(tables);
  const long long digit_pitch = call.pitch / cell_digits;
  const long long first = static_cast<long long>(blockIdx.x) * lookup_threads + threadIdx.x;
  const long long threads = static_cast<long long>(gridDim.x) * lookup_threads;
  const int columns = static_cast<int>(threads % call.stride), rows = static_cast<int>(threads / call.stride);
  int x = static_cast<int>(first % call.stride), y = static_cast<int>(first / call.stride);
  while (y < call.height) {
    const word *const above = row_at(call, y - 1), *const own = row_at(call, y),
                      *const below = row_at(call, y + 1);
    // In the order in which a tree of Transitions asks
    word cells[LOOKUP_CORNERS ? 9 : 5][cell_digits], next[16];
    constexpr int sides = LOOKUP_CORNERS ? 4 : 0;
    if (LOOKUP_CORNERS) {
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
    next_by_lookups(&cells[0][0], bytes, next);
    word* const to = call.to + y * call.pitch + x;
#pragma unroll
    for (int k = 0; k < cell_digits; ++k) to[k * digit_pitch] = next[k];
    // The next of this thread's words, which are as many words apart as there are threads
    x += columns, y += rows;
    if (x >= call.stride) x -= call.stride, ++y;
  }
}

extern "C" __global__ void __launch_bounds__(lookup_threads, 2) lookup_shared(const LookupCall call) {
  DYNAMIC_SHARED(tables, (LOOKUP_BYTES + 15) / 16);
  for (int i = static_cast<int>(threadIdx.x); i < (LOOKUP_BYTES + 15) / 16; i += lookup_threads)
    tables[i] = call.tables[i];
  __syncthreads();
  look_up_cells(call, tables);
}

extern "C" __global__ void __launch_bounds__(lookup_threads, 2) lookup_global(const LookupCall call) {
  look_up_cells(call, call.tables);
}

#endif
