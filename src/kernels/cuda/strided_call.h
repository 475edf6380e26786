// SPDX-License-Identifier: MIT
// Arguments of cuda/strided and its variants, for host and device code; also text for NVRTC, hence no
// includes; requires `word` (32 bits).
#ifndef MOOREA_KERNELS_STEP_STRIDED_CALL_H
#define MOOREA_KERNELS_STEP_STRIDED_CALL_H

#ifndef MOOREA_DEPTH
#define MOOREA_DEPTH 6
#endif
constexpr int depth = MOOREA_DEPTH;  // generations per pass, an even number up to 6
constexpr int vectors_a_lane = 4;    // 16 bytes
constexpr int strip = 32 * vectors_a_lane;
// Vectors at each edge of a strip that it does not store: at least one for each generation, which makes them
// invalid. If their number is a multiple of four, strips store whole sectors of memory, 32 bytes that are
// aligned, except where a segment ends.
#ifndef MOOREA_HALO
#define MOOREA_HALO MOOREA_DEPTH
#endif
constexpr int halo = MOOREA_HALO;
constexpr bool stores_sectors = halo % vectors_a_lane == 0;
constexpr int useful = strip - 2 * halo;
constexpr int strip_begins = stores_sectors ? -halo : -8;  // first vector of the first strip, with the halo
// Vectors of a segment are a multiple of this number
constexpr int segment_granularity = !stores_sectors ? vectors_a_lane : useful % 16 == 0 ? 16 : 8;
#ifndef MOOREA_WARPS
#define MOOREA_WARPS 8
#endif
constexpr int warps_a_multiprocessor = MOOREA_WARPS;
constexpr int rows_a_group = 8;  // granularity at which cuda/strided_lazy records changes

// Arguments of a call; pointers refer to vector 0 of row 0.
struct StridedCall {
  const word* from;
  word* to;
  unsigned long long* populations;  // counts of the call's generations are added here; may be null
  long long pitch;                  // vectors from row to row
  int stride;                       // vectors in a row
  int width;                        // cells in a row
  int height;                       // rows
  int steps;                        // generations, 1 to depth
  int torus;                        // else a plane
  int odd;                          // as Launch::odd
  int wrapped;  // the kernel joins the ends of rows; otherwise memory holds the halo columns

  // Partition of a world that is computed completely: segments of rows, concatenated
  int segments;
  int segment_rows;     // an even number
  int segment_vectors;  // vectors of a row and its halo on both sides
};

// First useful vector of strip `which`; each strip has at least four of them and at most `useful`.
#ifdef __CUDACC__
__host__ __device__
#endif
    inline int
    strip_begin(int which, int strips, int stride) {
  const int fours = (stride - strip_begins - halo + 3) / 4;
  return static_cast<int>(static_cast<long long>(which) * fours / strips) * 4 + strip_begins + halo;
}

// Consecutive groups of rows of one strip.
struct StridedRun {
  int strip, first, groups;
};

// State of cuda/strided_lazy between passes, apart from the change records.
struct StridedQueue {
  unsigned long long computed, skipped;  // groups, in all passes
  int runs;                              // of this pass
  int next;                              // index of the next run to take
  int finished;                          // warps that found the queue empty
  int awake, awake_before;               // active groups, in this pass and in the previous one
};

struct StridedLazyCall {
  StridedCall strided;
  StridedQueue* queue;
  StridedRun* runs;
  word* changed;  // per strip and group: bit i is set if lane i's part differs from that of the previous pass
  int strips;
  int groups;  // of a strip
  int chunk;   // groups that a warp examines
};

#endif
