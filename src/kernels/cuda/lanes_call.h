// SPDX-License-Identifier: MIT
// Arguments of the kernels of ensembles (cuda/lanes.cuh), for host and device code; also text for NVRTC,
// hence no includes.
#ifndef MOOREA_KERNELS_STEP_LANES_CALL_H
#define MOOREA_KERNELS_STEP_LANES_CALL_H

// Groups of 32 worlds, two of which share an array of 64-bit words: bit k of the low half of a word is a cell
// of world k of the first, of the high half one of the second. The word of column x and row y is y * width +
// x.
struct LanesCall {
  unsigned int* cells;    // of all groups
  unsigned int* scratch;  // of each thread block, for two generations; null if it is not used
  // Of each generation of the call and each world; null if the kernel does not count.
  unsigned short* populations;
  int groups;
  int steps;  // generations
};

#endif
