// SPDX-License-Identifier: MIT
// How cuda/strided is called, for its host and its device code; text for NVRTC, too: no includes, but `word`,
// 32 bits, before it.
#ifndef MOOREA_KERNELS_STEP_STRIDED_CALL_H
#define MOOREA_KERNELS_STEP_STRIDED_CALL_H

constexpr int depth = 6;           // generations
constexpr int vectors_a_lane = 4;  // 16 bytes
constexpr int strip = 32 * vectors_a_lane;
constexpr int useful = strip - 2 * depth;
constexpr int strip_begins = -8;  // before the first useful vector's group of four
constexpr int ring_rows = 8;
constexpr int warps_a_multiprocessor = 8;

// Everything about a call; the pointers are to vector 0 of row 0.
struct StridedCall {
  const word* from;
  word* to;
  long long pitch;  // vectors from row to row
  int stride;       // vectors in a row
  int width;        // cells in a row
  int height;       // rows
  int strips;
  int segment_rows;  // rows of a warp, an even number
  int steps;         // generations, 1 to depth
  int torus;         // else a plane
  int wrapped;       // rows are joined at their ends by the kernel; else memory holds what lies beyond
};

#endif
