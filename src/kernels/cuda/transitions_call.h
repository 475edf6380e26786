// SPDX-License-Identifier: MIT
// Arguments of cuda/states/transitions, for host and device code; also text for NVRTC, hence no includes;
// requires `word` (32 bits).
#ifndef MOOREA_KERNELS_STEP_TRANSITIONS_CALL_H
#define MOOREA_KERNELS_STEP_TRANSITIONS_CALL_H

constexpr int transition_threads = 256;  // of a thread block

// Pointers refer to vector 0 of row 0.
struct TransitionsCall {
  const word* from;
  word* to;
  const uint4* tables;  // in global memory
  long long pitch;      // vectors from row to row
  int stride;           // vectors in a row
  int height;           // rows
  int torus;            // else a plane
};

#endif
