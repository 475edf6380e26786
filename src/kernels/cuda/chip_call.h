// SPDX-License-Identifier: MIT
// Arguments of cuda/chip, for host and device code; also text for NVRTC, hence no includes; requires `word`
// (32 bits).
#ifndef MOOREA_KERNELS_STEP_CHIP_CALL_H
#define MOOREA_KERNELS_STEP_CHIP_CALL_H

// Pointers refer to vector 0 of row 0.
struct ChipCall {
  const word* from;
  word* to;
  unsigned long long* published;  // twice as many as the world has vectors, 0 before the call
  long long pitch;                // vectors from row to row
  int stride;                     // vectors in a row: those of a lane times the lanes
  int width;                      // cells in a row
  int height;                     // rows
  int halo;  // additional rows above and below that a block computes, and generations per pass
  int passes;
  int steps;  // generations of the last pass; the others have `halo`
  int torus;  // else a plane
};

#endif
