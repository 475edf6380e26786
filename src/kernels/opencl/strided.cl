// SPDX-License-Identifier: MIT
// 32 columns per word in the strided layout (cpu/strided.h), so that a cell's left and right neighbours are
// the same bit of the adjacent words: no shifts. A team of work-items processes a strip from top to bottom,
// two rows at a time, with six generations in its registers; rows computed for one generation enter the next,
// which lags one row behind. Adjacent work-items exchange their outer words. Six words at each edge of the
// strip become invalid.
// A team is a work-group that exchanges words through local memory. On NVIDIA GPUs from Ampere on, PTX
// replaces the missing sub-groups of their OpenCL: a team is a warp that exchanges words by shuffles, and
// rows arrive by asynchronous copies through a ring buffer in local memory, six rows ahead.
// @summary 32 strided columns per word, six generations in registers
// @layout strided
// @lanes 32
// @steps 6
// @group 64x1
// @cells 1
// @partition partition_strided

#if COMPUTE_CAPABILITY >= 80 && GROUP_WIDTH % 32 == 0
#define BY_PTX
#define TEAM 32
#else
#define TEAM GROUP_WIDTH
#endif

#define VECTORS 4  // per work-item
#define STRIP (TEAM * VECTORS)
#define USEFUL (STRIP - 2 * STEPS)
#define BEGINS (-8)  // first vector of a segment, relative to its rows
#define RING_ROWS 8
#define PAIRS_AHEAD 3

// Unrolled completely, because registers require constant indices; not for CPUs, whose compilers would take
// minutes.
#ifdef FOR_CPU
#define GENERATIONS_UNROLLED 1
#define TURNS_UNROLLED 1
#else
#define GENERATIONS_UNROLLED STEPS
#define TURNS_UNROLLED 2
#endif

// Forced, because pointers to a generation's state would otherwise move it to memory
#define INLINE __attribute__((always_inline))

// Local memory of a work-group.
typedef struct {
#ifdef BY_PTX
  uint4 ring[RING_ROWS * GROUP_WIDTH];  // a part for each team, with an entry per work-item in each row
#else
  // Outer words of each work-item's two rows; double-buffered, so that no work-item overwrites what others
  // still read.
  uint2 first[2][GROUP_WIDTH + 1], last[2][GROUP_WIDTH + 1];
#endif
} Shared;

// Words adjacent to a work-item's two rows; `set` alternates between the two buffers.
#ifdef BY_PTX
INLINE uint from_left(uint value) {
  uint result;
  __asm__ volatile("shfl.sync.up.b32 %0, %1, 1, 0, 0xffffffff;" : "=r"(result) : "r"(value));
  return result;
}
INLINE uint from_right(uint value) {
  uint result;
  __asm__ volatile("shfl.sync.down.b32 %0, %1, 1, 31, 0xffffffff;" : "=r"(result) : "r"(value));
  return result;
}
INLINE void exchange_words(const uint* b, const uint* c, local Shared* shared, int set, uint2* before,
                           uint2* after) {
  *before = (uint2)(from_left(b[VECTORS - 1]), from_left(c[VECTORS - 1]));
  *after = (uint2)(from_right(b[0]), from_right(c[0]));
}
#else
INLINE void exchange_words(const uint* b, const uint* c, local Shared* shared, int set, uint2* before,
                           uint2* after) {
  const int item = get_local_id(0);
  shared->last[set][item + 1] = (uint2)(b[VECTORS - 1], c[VECTORS - 1]);
  shared->first[set][item] = (uint2)(b[0], c[0]);
  barrier(CLK_LOCAL_MEM_FENCE);  // all work-items have published their words
  *before = shared->last[set][item];
  *after = shared->first[set][item + 1];
}
#endif

typedef struct {
  uint ones[VECTORS], twos[VECTORS], cells[VECTORS];
} Sums;

// State of a generation between pairs of rows: the last two rows.
typedef struct {
  Sums above, at;
} Kept;

INLINE void add_row(const uint* row, uint before, uint after, Sums* sums) {
#pragma unroll
  for (int i = 0; i < VECTORS; ++i) {
    sum_three(i == 0 ? before : row[i - 1], row[i], i == VECTORS - 1 ? after : row[i + 1], &sums->ones[i],
              &sums->twos[i]);
    sums->cells[i] = row[i];
  }
}

// Consumes rows b and c, and replaces them by the next states of the row before b, and of b.
INLINE void advance_pair(const Kept* old, Kept* fresh, uint* b, uint* c, local Shared* shared, int set) {
  uint2 before, after;
  exchange_words(b, c, shared, set, &before, &after);
  add_row(b, before.x, after.x, &fresh->above);
  add_row(c, before.y, after.y, &fresh->at);
#pragma unroll
  for (int i = 0; i < VECTORS; ++i) {
    uint next_a, next_b;
    NEXT_ROWS(old->above.ones[i], old->above.twos[i], old->above.cells[i], old->at.ones[i], old->at.twos[i],
              old->at.cells[i], fresh->above.ones[i], fresh->above.twos[i], fresh->above.cells[i],
              fresh->at.ones[i], fresh->at.twos[i], fresh->at.cells[i], &next_a, &next_b);
    b[i] = next_a;
    c[i] = next_b;
  }
}

INLINE void to_array(uint4 four, uint* row) {
  row[0] = four.x, row[1] = four.y, row[2] = four.z, row[3] = four.w;
}

// Clears bits that are not cells of a plane.
INLINE void confine(uint* row, const uint* alive, bool inside) {
#pragma unroll
  for (int i = 0; i < VECTORS; ++i) row[i] = inside ? row[i] & alive[i] : 0;
}

// One turn: two rows enter, and two leave that are `steps` generations older and as many rows further up. `y`
// is the row that enters first; `general` is a compile-time constant.
INLINE void turn(bool general, int steps, const Kept* old, Kept* fresh, uint* b, uint* c, const uint* alive,
                 int plane_height, int y, local Shared* shared, int set) {
  if (general) {
    confine(b, alive, y >= 0 && y < plane_height);
    confine(c, alive, y + 1 >= 0 && y + 1 < plane_height);
  }
#pragma unroll GENERATIONS_UNROLLED
  for (int g = 0; g < STEPS; ++g) {
    if (general && g >= steps) break;
    advance_pair(&old[g], &fresh[g], b, c, shared, (set + g) & 1);
    if (general) {
      confine(b, alive, y - g - 1 >= 0 && y - g - 1 < plane_height);
      confine(c, alive, y - g >= 0 && y - g < plane_height);
    }
  }
}

// Position of the incoming rows.
typedef struct {
  global const uint* column;  // of row 0
  global const uint* in;      // the next one
  long words;                 // from row to row
  int y, height;
#ifdef BY_PTX
  local uint4* ring;  // the work-item's part
#else
  uint4 next_b, next_c;  // prefetched for the next turn
#endif
} Source;

INLINE void go_down(Source* source) {
  ++source->y;
  source->in = source->y == source->height ? source->column : source->in + source->words;
  source->y = source->y == source->height ? 0 : source->y;
}

#ifdef BY_PTX
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
INLINE uint4 fetch(Source* source) {
  const uint4 row = *(global const uint4*)source->in;
  go_down(source);
  return row;
}

INLINE void begin_rows(Source* source, local Shared* shared) {
  source->next_b = fetch(source);
  source->next_c = fetch(source);
  // Words beyond the outer work-items are never written
  const int item = get_local_id(0);
  if (item < 2) {
    shared->last[item][0] = (uint2)(0);
    shared->first[item][GROUP_WIDTH] = (uint2)(0);
  }
}

INLINE void next_pair(Source* source, int turn, uint4* b, uint4* c) {
  *b = source->next_b;
  *c = source->next_c;
  source->next_b = fetch(source);
  source->next_c = fetch(source);
}
#endif

INLINE void store(global uint* to, const uint* row, bool first_two, bool last_two) {
  if (first_two) *(global uint2*)to = (uint2)(row[0], row[1]);
  if (last_two) *(global uint2*)(to + 2) = (uint2)(row[2], row[3]);
}

INLINE void walk(bool general, WORLD, global const uchar* from, global uchar* to, local Shared* shared) {
  const int item = get_local_id(0) % TEAM, stride = (width + 31) / 32;
  const int across = (stride - BEGINS + STEPS + 3) / 4 * 4, segments = (height + rows - 1) / rows;
  const long at = (long)(get_global_id(0) / TEAM) * USEFUL + item * VECTORS;
  const int segment = min((int)(at / across), segments - 1);
  const int vector = at - (long)segment * across + BEGINS;
  const int top = segment * rows, own = min(rows, height - top);
  const bool stores = vector >= 0 && vector < stride;
  const bool first_two = stores && item * VECTORS >= STEPS && item * VECTORS + 2 <= STRIP - STEPS;
  const bool last_two = stores && item * VECTORS + 2 >= STEPS && item * VECTORS + 4 <= STRIP - STEPS;
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

  Kept even[STEPS], odd[STEPS];
#pragma unroll
  for (int g = 0; g < STEPS; ++g) {
#pragma unroll
    for (int i = 0; i < VECTORS; ++i) {
      even[g].above.ones[i] = even[g].above.twos[i] = even[g].above.cells[i] = 0;
      even[g].at.ones[i] = even[g].at.twos[i] = even[g].at.cells[i] = 0;
    }
  }
  // Rows above the first exist on a torus
  const int begin = torus ? steps : top - steps;
  const int turns = rows / 2 + steps;
  for (int done = 0; done < turns; done += 2) {
#pragma unroll TURNS_UNROLLED
    for (int second = 0; second < 2; ++second) {
      uint b[VECTORS], c[VECTORS];
      uint4 row_b, row_c;
      next_pair(&source, done + second, &row_b, &row_c);
      to_array(row_b, b);
      to_array(row_c, c);
      turn(general, steps, second ? odd : even, second ? even : odd, b, c, alive, plane_height,
           begin + 2 * (done + second), shared, second * steps);
      const int row = 2 * (done + second - steps);
      if (row >= 0 && row < own) store(out + row * source.words, b, first_two, last_two);
      if (row + 1 >= 0 && row + 1 < own) store(out + (row + 1) * source.words, c, first_two, last_two);
    }
  }
}

kernel __attribute__((reqd_work_group_size(GROUP_WIDTH, 1, 1))) void advance(WORLD, global const uchar* from,
                                                                             global uchar* to) {
  local Shared shared;
  walk(false, width, height, torus, first, pitch, STEPS, rows, from, to, &shared);
}

kernel __attribute__((reqd_work_group_size(GROUP_WIDTH, 1, 1))) void advance_some(WORLD,
                                                                                  global const uchar* from,
                                                                                  global uchar* to) {
  local Shared shared;
  walk(true, width, height, torus, first, pitch, steps, rows, from, to, &shared);
}
