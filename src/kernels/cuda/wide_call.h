// SPDX-License-Identifier: MIT
// Arguments of cuda/wide, for host and device code; also text for NVRTC, hence no includes; requires `word`
// (32 bits).
#ifndef MOOREA_KERNELS_STEP_WIDE_CALL_H
#define MOOREA_KERNELS_STEP_WIDE_CALL_H

constexpr int wide_threads = 64;   // of a thread block
constexpr int columns_a_lane = 8;  // vectors whose counts a thread computes
constexpr int wide_strip = wide_threads * columns_a_lane;
constexpr int max_wide_radius = 127;

// Pointers refer to vector 0 of row 0.
struct WideCall {
  const word* from;
  word* to;
  long long pitch;   // vectors from row to row
  int stride;        // vectors in a row
  int height;        // rows
  int segment_rows;  // rows that a thread block computes
  int torus;         // else a plane
};

#endif
