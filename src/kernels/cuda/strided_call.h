// SPDX-License-Identifier: MIT
// How cuda/strided and its relations are called, for host and device code; text for NVRTC, too: no includes,
// but `word`, 32 bits, before it.
#ifndef MOOREA_KERNELS_STEP_STRIDED_CALL_H
#define MOOREA_KERNELS_STEP_STRIDED_CALL_H

constexpr int depth = 6;           // generations
constexpr int vectors_a_lane = 4;  // 16 bytes
constexpr int strip = 32 * vectors_a_lane;
constexpr int useful = strip - 2 * depth;
constexpr int strip_begins = -8;  // before the first useful vector's group of four
constexpr int warps_a_multiprocessor = 8;
constexpr int rows_a_group = 8;  // whose changes cuda/strided_lazy notes together

// Everything about a call; the pointers are to vector 0 of row 0.
struct StridedCall {
  const word* from;
  word* to;
  unsigned long long* populations;  // those of the call's generations are added here; else null
  long long pitch;                  // vectors from row to row
  int stride;                       // vectors in a row
  int width;                        // cells in a row
  int height;                       // rows
  int steps;                        // generations, 1 to depth
  int torus;                        // else a plane
  int wrapped;  // rows are joined at their ends by the kernel; else memory holds what lies beyond

  // How a world is cut where all of it is computed: segments of rows, laid end to end
  int segments;
  int segment_rows;     // an even number
  int segment_vectors;  // those of a row and, on both sides, of its neighbours: a multiple of four
};

// The first useful vector of one of so many strips; four at least belong to each, a strip's useful ones at
// most.
#ifdef __CUDACC__
__host__ __device__
#endif
    inline int
    strip_begin(int which, int strips, int stride) {
  const int fours = (stride - strip_begins - depth + 3) / 4;
  return static_cast<int>(static_cast<long long>(which) * fours / strips) * 4 + strip_begins + depth;
}

// Consecutive groups of rows of one strip.
struct StridedRun {
  int strip, first, groups;
};

// What cuda/strided_lazy keeps from pass to pass, beside the notes of what changed.
struct StridedQueue {
  unsigned long long computed, skipped;  // groups, in all passes
  int runs;                              // of this pass
  int next;                              // the first that nobody has taken
  int finished;                          // warps that found no more
  int awake, awake_before;               // groups, in this pass and in the one before
};

struct StridedLazyCall {
  StridedCall strided;
  StridedQueue* queue;
  StridedRun* runs;
  word* changed;  // by strip and group: bit i, whether lane i's part differs from what it was a pass ago
  int strips;
  int groups;  // of a strip
  int chunk;   // groups that are looked at together
};

#endif
