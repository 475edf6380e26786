// SPDX-License-Identifier: MIT
// Shape and arguments of the kernels of ensembles (cuda/lanes.cuh), for host and device code; also text for
// NVRTC, hence no includes; requires `word` (32 bits).
#ifndef MOOREA_KERNELS_STEP_LANES_CALL_H
#define MOOREA_KERNELS_STEP_LANES_CALL_H

// Cells of a group: 32 / segments worlds of one size. A world is divided into `segments` segments of `rows`
// adjacent rows, of which the last ones have a row less if that is needed, and the columns into `lanes` parts
// of `columns` adjacent columns, of which the last ones have one less if needed. Bit s * 32 / segments + w of
// word (y * columns + c) * lanes + l is the cell in column c of part l and row y of segment s of world w.
// Rows and columns that a segment or part does not have are undefined.
struct LanesShape {
  int width, height, torus;  // else a plane
  int segments, rows;
  int columns, lanes;
};

struct LanesCall {
  word* cells;    // of all groups
  word* scratch;  // of each thread block, for two generations; null if it is not used
  // Live cells of each world after each generation of the call, of 16 bits if worlds have fewer than 65536
  // cells, otherwise 32; null if the kernel does not count.
  void* populations;
  int first, end;  // groups of this launch
  int all_groups;
  int steps;  // generations
};

// Advances worlds by an interval, from `start` to `cells`, and searches their periods. Bit w of the masks of
// a group is its world w.
struct SearchCall {
  const word* start;
  word* cells;
  word* stopped;            // cells after `stop` generations, of the groups with limited worlds
  const word* active;       // groups without active worlds are not computed
  const word* searched;     // worlds whose period is searched
  const word* limited;      // worlds that end after `stop` generations
  unsigned short* periods;  // of each world whose state at the start recurs: written if it was searched
  int groups;
  int steps, stop, max_period;  // generations; stop is 0 if no world is limited
};

#endif
