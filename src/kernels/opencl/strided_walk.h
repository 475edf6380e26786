// SPDX-License-Identifier: MIT
// The walk of opencl/strided, opencl/states/strided and opencl/blocks/strided; text, after their files and
// strided_rows.h. 32 columns per word in the strided layout (cpu/strided.h), so that a cell's left and right
// neighbours are the same bit of the adjacent words: no shifts. A team of work-items processes a strip from
// top to bottom, two rows at a time, with STEPS generations in its registers; rows computed for one
// generation enter the next, which lags one row behind. Adjacent work-items exchange their outer words. STEPS
// words at each edge of the strip become invalid.
//
// A team is a work-group that exchanges words through local memory. On NVIDIA GPUs from Ampere on, PTX
// replaces the missing sub-groups of their OpenCL: a team is a warp that exchanges words by shuffles, and
// rows of two states arrive by asynchronous copies through a ring buffer in local memory, six rows ahead.

// Position of the incoming rows.
typedef struct {
  global const uint* column;  // of row 0
  global const uint* in;      // the next one
  long words;                 // from row to row
  int y, height;
#ifdef IN_RING
  local uint4* ring;  // the work-item's part
#else
  uint4 next_b[DIGITS], next_c[DIGITS];  // prefetched for the next turn
#endif
} Source;

INLINE void go_down(Source* source) {
  ++source->y;
  source->in = source->y == source->height ? source->column : source->in + source->words;
  source->y = source->y == source->height ? 0 : source->y;
}

#ifdef IN_RING
INLINE void fetch(Source* source, local uint4* to) {
  __asm__ volatile("cp.async.cg.shared.global [%0], [%1], 16;"
                   :
                   : "l"((ulong)to), "l"((ulong)source->in)
                   : "memory");
  go_down(source);
}

INLINE local uint4* in_ring(const Source* source, int pair) {
  return source->ring + 2 * pair % RING_ROWS * TEAM;
}

INLINE void fetch_pair(Source* source, int pair) {
  fetch(source, in_ring(source, pair));
  fetch(source, in_ring(source, pair) + TEAM);
  __asm__ volatile("cp.async.commit_group;" : : : "memory");
}

INLINE void begin_rows(Source* source, local Shared* shared) {
  const int item = get_local_id(0);
  source->ring = shared->ring + item / TEAM * TEAM * RING_ROWS + item % TEAM;
#pragma unroll
  for (int pair = 0; pair < PAIRS_AHEAD; ++pair) fetch_pair(source, pair);
}

INLINE void next_pair(Source* source, int turn, uint4* b, uint4* c) {
  __asm__ volatile("cp.async.wait_group %0;" : : "n"(PAIRS_AHEAD - 1) : "memory");
  *b = *in_ring(source, turn);
  *c = *(in_ring(source, turn) + TEAM);
  fetch_pair(source, turn + PAIRS_AHEAD);
}
#else
INLINE void fetch(Source* source, uint4* row) {
#pragma unroll
  for (int k = 0; k < DIGITS; ++k) row[k] = *(global const uint4*)(source->in + k * (source->words / DIGITS));
  go_down(source);
}

INLINE void begin_rows(Source* source, local Shared* shared) {
  fetch(source, source->next_b);
  fetch(source, source->next_c);
#ifndef BY_PTX
  // Words beyond the outer work-items are never written
  const int item = get_local_id(0);
  if (item < 2) {
    shared->last[item][0] = (uint2)(0);
    shared->first[item][GROUP_WIDTH] = (uint2)(0);
  }
#endif
}

INLINE void next_pair(Source* source, int turn, uint4* b, uint4* c) {
#pragma unroll
  for (int k = 0; k < DIGITS; ++k) {
    b[k] = source->next_b[k];
    c[k] = source->next_c[k];
  }
  fetch(source, source->next_b);
  fetch(source, source->next_c);
}
#endif

INLINE void store(global uint* to, long words, const Cells* row, bool first_two, bool last_two) {
#pragma unroll
  for (int k = 0; k < DIGITS; ++k, to += words / DIGITS) {
    if (STORES_SECTORS) {  // all vectors or none
      if (first_two) *(global uint4*)to = (uint4)(row->of[0][k], row->of[1][k], row->of[2][k], row->of[3][k]);
      continue;
    }
    if (first_two) *(global uint2*)to = (uint2)(row->of[0][k], row->of[1][k]);
    if (last_two) *(global uint2*)(to + 2) = (uint2)(row->of[2][k], row->of[3][k]);
  }
}

INLINE void walk(bool general, WORLD, global const uchar* from, global uchar* to, int odd,
                 local Shared* shared) {
  const int item = get_local_id(0) % TEAM, stride = (width + 31) / 32;
  const int across = (stride - BEGINS + HALO + GRANULARITY - 1) / GRANULARITY * GRANULARITY;
  const int segments = (height + rows - 1) / rows;
  const long at = (long)(get_global_id(0) / TEAM) * USEFUL + item * VECTORS;
  const int segment = min((int)(at / across), segments - 1);
  const int vector = at - (long)segment * across + BEGINS;
  const int top = segment * rows, own = min(rows, height - top);
  const bool stores = vector >= 0 && vector < stride;
  const bool first_two = stores && item * VECTORS >= HALO && item * VECTORS + 2 <= STRIP - HALO;
  const bool last_two = stores && item * VECTORS + 2 >= HALO && item * VECTORS + 4 <= STRIP - HALO;
  // Lanes far after a row's end read unused values within its memory
  const int column = min(vector, (stride + 28) & ~3);
  Source source;
  source.column = ROW(global const uint, from, 0) + column;
  source.words = pitch / 4;
  source.height = height;
  source.y = (top - steps) % height;
  if (source.y < 0) source.y += height;
  source.in = source.column + source.y * source.words;
  begin_rows(&source, shared);
  global uint* out = ROW(global uint, to, top) + vector;
  uint alive[VECTORS] = {0, 0, 0, 0};
  if (general) to_array(*(global const uint4*)(ROW(global const uint, from, ALIVE_ROW) + column), alive);
  // All bits of a torus are cells
  const int plane_height = torus ? INT_MAX : height;
  if (general && torus) {
#pragma unroll
    for (int i = 0; i < VECTORS; ++i) alive[i] = ~0u;
  }

  Kept kept[STEPS], latest[STEPS];  // in turn, so that no register moves
#pragma unroll
  for (int g = 0; g < STEPS; ++g) {
#pragma unroll
    for (int i = 0; i < VECTORS; ++i) {
      kept[g].above.ones[i] = kept[g].above.twos[i] = kept[g].above.cells[i] = 0;
      kept[g].at.ones[i] = kept[g].at.twos[i] = kept[g].at.cells[i] = 0;
#ifdef MOOREA_BOUNDARY
      kept[g].above.boundary[i] = kept[g].at.boundary[i] = 0;
#endif
#if DIGITS > 1
#pragma unroll
      for (int k = 0; k < DIGITS; ++k) kept[g].waiting.of[i][k] = 0;
#endif
    }
  }
  // Rows above the first exist on a torus
  const int begin = torus ? steps : top - steps;
  const int turns = rows / 2 + steps;
  for (int done = 0; done < turns; done += 2) {
#pragma unroll TURNS_UNROLLED
    for (int second = 0; second < 2; ++second) {
      Cells b, c;
      uint4 row_b[DIGITS], row_c[DIGITS];
      next_pair(&source, done + second, row_b, row_c);
      to_cells(row_b, &b);
      to_cells(row_c, &c);
      turn(general, steps, odd, second ? latest : kept, second ? kept : latest, &b, &c, alive, plane_height,
           begin + 2 * (done + second), shared, second * steps);
      const int row = 2 * (done + second - steps);
      if (row >= 0 && row < own) store(out + row * source.words, source.words, &b, first_two, last_two);
      if (row + 1 >= 0 && row + 1 < own)
        store(out + (row + 1) * source.words, source.words, &c, first_two, last_two);
    }
  }
}

// `odd` is whether the number of generations before is, which rules of blocks need.
kernel __attribute__((reqd_work_group_size(GROUP_WIDTH, 1, 1))) void advance(WORLD, global const uchar* from,
                                                                             global uchar* to,
                                                                             const int odd) {
  local Shared shared;
  walk(false, width, height, torus, first, pitch, STEPS, rows, from, to, odd, &shared);
}

kernel __attribute__((reqd_work_group_size(GROUP_WIDTH, 1, 1))) void advance_some(WORLD,
                                                                                  global const uchar* from,
                                                                                  global uchar* to,
                                                                                  const int odd) {
  local Shared shared;
  walk(true, width, height, torus, first, pitch, steps, rows, from, to, odd, &shared);
}
