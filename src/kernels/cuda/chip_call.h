// SPDX-License-Identifier: MIT
// How cuda/chip is called, for its host and its device code; text for NVRTC, too: no includes, but `word`, 32
// bits, before it.
#ifndef MOOREA_KERNELS_STEP_CHIP_CALL_H
#define MOOREA_KERNELS_STEP_CHIP_CALL_H

// The pointers are to vector 0 of row 0.
struct ChipCall {
  const word* from;
  word* to;
  unsigned long long* told;  // two times the world's vectors, 0 before the call
  long long pitch;           // vectors from row to row
  int stride;                // vectors in a row, those of a lane times lanes
  int width;                 // cells in a row
  int height;                // rows
  int halo;  // rows above and below that a block does beside its own, and generations of a pass
  int passes;
  int steps;  // generations of the last pass; the others have as many as the halo has rows
  int torus;  // else a plane
};

#endif
