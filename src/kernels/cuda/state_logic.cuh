// SPDX-License-Identifier: MIT
// Cells of two or more states for the walk of cuda/strided and for cuda/wide, for nvcc and, as text, for
// NVRTC; hence no includes. A cell is the binary digits of its state, a word each; cells of two states have
// one.
//
// Include after `word` (32 bits). With more than two states MOOREA_DIGITS is the number of digits, and
// live_cells and advance_states are those of logic/state_text.h. With MOOREA_BOUNDARY, for rules with
// history, live cells beside one in state 6 die.
#ifndef MOOREA_KERNELS_STEP_STATE_LOGIC_CUDA_H
#define MOOREA_KERNELS_STEP_STATE_LOGIC_CUDA_H

#ifdef MOOREA_DIGITS
constexpr int digits = MOOREA_DIGITS;
#else
constexpr int digits = 1;

__device__ __forceinline__ word live_cells(const word* cell) { return cell[0]; }

__device__ __forceinline__ void advance_states(word* cell, word lives) { cell[0] = lives; }
#endif

#ifdef MOOREA_BOUNDARY
__device__ __forceinline__ word boundary_cells(const word* cell) { return cell[1] & cell[2]; }
#endif

#endif
