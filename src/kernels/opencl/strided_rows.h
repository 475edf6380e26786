// SPDX-License-Identifier: MIT
// Rows in the registers of opencl/strided_walk.h, and what their next generation is; text, before it.
//
// Cells with more than two states have DIGITS rows of words, one for each binary digit of their states, and
// the functions of logic/state_text.h. With MOOREA_BOUNDARY live cells beside one in state 6 die.
//
// With MOOREA_BLOCKS the rule replaces blocks of 2 x 2 cells by MOOREA_NEXT_BLOCK(nw, ne, sw, se, next), and
// a generation keeps one row: the southern half of the last blocks, or a row that waits for the one below it.

#if COMPUTE_CAPABILITY >= 80 && GROUP_WIDTH % 32 == 0
#define BY_PTX
#define TEAM 32
#if DIGITS == 1
#define IN_RING  // larger states would need too much local memory
#endif
#else
#define TEAM GROUP_WIDTH
#endif

#define VECTORS 4  // per work-item
#define STRIP (TEAM * VECTORS)
// Vectors at each edge of a strip that it does not store, at least STEPS; with a multiple of four, strips
// store whole sectors of memory, 32 bytes that are aligned, except where a segment ends
#if defined(MOOREA_BLOCKS)
#define HALO 8
#else
#define HALO STEPS
#endif
#define STORES_SECTORS (HALO % VECTORS == 0)
#define USEFUL (STRIP - 2 * HALO)
#define BEGINS (STORES_SECTORS ? -HALO : -8)        // first vector of a segment, relative to its rows
#define GRANULARITY (STORES_SECTORS ? 8 : VECTORS)  // vectors of a segment are a multiple of it
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
#ifdef IN_RING
  uint4 ring[RING_ROWS * GROUP_WIDTH];  // a part for each team, with an entry per work-item in each row
#elif defined(BY_PTX)
  uint unused;
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

// A work-item's cells of a row: words of their states' binary digits.
typedef struct {
  uint of[VECTORS][DIGITS];
} Cells;

// What the next states need of a row: see sum_three().
typedef struct {
  uint ones[VECTORS], twos[VECTORS], cells[VECTORS];
#ifdef MOOREA_BOUNDARY
  uint boundary[VECTORS];  // whether one of three adjacent cells is in state 6
#endif
} Sums;

// State of a generation between pairs of rows: the last two rows.
typedef struct {
  Sums above, at;
#if DIGITS > 1
  Cells waiting;  // of the last one
#endif
} Kept;

INLINE void add_row(const uint* row, uint before, uint after, Sums* sums) {
#pragma unroll
  for (int i = 0; i < VECTORS; ++i) {
    sum_three(i == 0 ? before : row[i - 1], row[i], i == VECTORS - 1 ? after : row[i + 1], &sums->ones[i],
              &sums->twos[i]);
    sums->cells[i] = row[i];
  }
}

#if DIGITS > 1
INLINE void live_row(const Cells* row, uint* live) {
#pragma unroll
  for (int i = 0; i < VECTORS; ++i) live[i] = live_cells(row->of[i]);
}
#else
INLINE void live_row(const Cells* row, uint* live) {
#pragma unroll
  for (int i = 0; i < VECTORS; ++i) live[i] = row->of[i][0];
}
#endif

#ifdef MOOREA_BOUNDARY
// Rows b and c of cells in state 6.
INLINE void add_boundary(const Cells* b, const Cells* c, Kept* fresh, local Shared* shared, int set) {
  uint of_b[VECTORS], of_c[VECTORS];
#pragma unroll
  for (int i = 0; i < VECTORS; ++i) {
    of_b[i] = b->of[i][1] & b->of[i][2];
    of_c[i] = c->of[i][1] & c->of[i][2];
  }
  uint2 before, after;
  exchange_words(of_b, of_c, shared, set, &before, &after);
#pragma unroll
  for (int i = 0; i < VECTORS; ++i) {
    fresh->above.boundary[i] =
        (i == 0 ? before.x : of_b[i - 1]) | of_b[i] | (i == VECTORS - 1 ? after.x : of_b[i + 1]);
    fresh->at.boundary[i] =
        (i == 0 ? before.y : of_c[i - 1]) | of_c[i] | (i == VECTORS - 1 ? after.y : of_c[i + 1]);
  }
}
#endif

#ifdef MOOREA_BLOCKS
// Replaces blocks, which begin in a work-item's first word, or in its second and its last one if they are
// `shifted`.
INLINE void next_blocks(uint* north, uint* south, bool shifted, local Shared* shared, int set) {
  uint left[4], right[4];
  uint2 before, after;
  exchange_words(north, south, shared, set, &before, &after);
  if (!shifted) {
    MOOREA_NEXT_BLOCK(north[0], north[1], south[0], south[1], left);
    MOOREA_NEXT_BLOCK(north[2], north[3], south[2], south[3], right);
    north[0] = left[0], north[1] = left[1], north[2] = right[0], north[3] = right[1];
    south[0] = left[2], south[1] = left[3], south[2] = right[2], south[3] = right[3];
    return;
  }
  uint outer[4];
  MOOREA_NEXT_BLOCK(before.x, north[0], before.y, south[0], outer);
  MOOREA_NEXT_BLOCK(north[1], north[2], south[1], south[2], left);
  MOOREA_NEXT_BLOCK(north[3], after.x, south[3], after.y, right);
  north[0] = outer[1], north[1] = left[0], north[2] = left[1], north[3] = right[0];
  south[0] = outer[3], south[1] = left[2], south[2] = left[3], south[3] = right[2];
}

// Consumes rows b and c, and replaces them by the next states of the row before b, and of b. If rows are
// `aligned`, b is the northern row of its blocks, else the southern one.
INLINE void advance_pair(const Kept* old, Kept* fresh, Cells* b, Cells* c, bool aligned, bool shifted,
                         local Shared* shared, int set) {
  uint north[VECTORS], south[VECTORS];
#pragma unroll
  for (int i = 0; i < VECTORS; ++i) {
    north[i] = aligned ? b->of[i][0] : old->at.cells[i];
    south[i] = aligned ? c->of[i][0] : b->of[i][0];
  }
  next_blocks(north, south, shifted, shared, set);
#pragma unroll
  for (int i = 0; i < VECTORS; ++i) {
    fresh->at.cells[i] = aligned ? south[i] : c->of[i][0];
    b->of[i][0] = aligned ? old->at.cells[i] : north[i];
    c->of[i][0] = aligned ? north[i] : south[i];
  }
}
#else
// Consumes rows b and c, and replaces them by the next states of the row before b, and of b.
INLINE void advance_pair(const Kept* old, Kept* fresh, Cells* b, Cells* c, local Shared* shared, int set) {
  uint live_b[VECTORS], live_c[VECTORS];
  live_row(b, live_b);
  live_row(c, live_c);
  uint2 before, after;
  exchange_words(live_b, live_c, shared, set, &before, &after);
  add_row(live_b, before.x, after.x, &fresh->above);
  add_row(live_c, before.y, after.y, &fresh->at);
#ifdef MOOREA_BOUNDARY
#ifndef BY_PTX
  barrier(CLK_LOCAL_MEM_FENCE);  // all work-items have read the words of live cells
#endif
  add_boundary(b, c, fresh, shared, set);
#ifndef BY_PTX
  barrier(CLK_LOCAL_MEM_FENCE);  // and those of the boundary
#endif
#endif
#if DIGITS > 1
  fresh->waiting = *c;
  *c = *b;
  *b = old->waiting;
#endif
#pragma unroll
  for (int i = 0; i < VECTORS; ++i) {
    uint next_a, next_b;
    NEXT_ROWS(old->above.ones[i], old->above.twos[i], old->above.cells[i], old->at.ones[i], old->at.twos[i],
              old->at.cells[i], fresh->above.ones[i], fresh->above.twos[i], fresh->above.cells[i],
              fresh->at.ones[i], fresh->at.twos[i], fresh->at.cells[i], &next_a, &next_b);
#ifdef MOOREA_BOUNDARY
    const uint beside = old->at.boundary[i] | fresh->above.boundary[i];
    next_a &= ~(old->at.cells[i] & (old->above.boundary[i] | beside));
    next_b &= ~(fresh->above.cells[i] & (beside | fresh->at.boundary[i]));
#endif
#if DIGITS > 1
    advance_states(b->of[i], next_a);
    advance_states(c->of[i], next_b);
#else
    b->of[i][0] = next_a;
    c->of[i][0] = next_b;
#endif
  }
}
#endif

INLINE void to_array(uint4 four, uint* row) {
  row[0] = four.x, row[1] = four.y, row[2] = four.z, row[3] = four.w;
}

INLINE void to_cells(const uint4* digits, Cells* row) {
#pragma unroll
  for (int k = 0; k < DIGITS; ++k) {
    row->of[0][k] = digits[k].x, row->of[1][k] = digits[k].y;
    row->of[2][k] = digits[k].z, row->of[3][k] = digits[k].w;
  }
}

// Clears bits that are not cells of a plane.
INLINE void confine(Cells* row, const uint* alive, bool inside) {
#pragma unroll
  for (int i = 0; i < VECTORS; ++i) {
#pragma unroll
    for (int k = 0; k < DIGITS; ++k) row->of[i][k] = inside ? row->of[i][k] & alive[i] : 0;
  }
}

// One turn: two rows enter, and two leave that are `steps` generations older and as many rows further up. `y`
// is the row that enters first; `general` is a compile-time constant. `odd` is whether the number of
// generations before is, of rules of blocks.
INLINE void turn(bool general, int steps, int odd, const Kept* old, Kept* fresh, Cells* b, Cells* c,
                 const uint* alive, int plane_height, int y, local Shared* shared, int set) {
  if (general) {
    confine(b, alive, y >= 0 && y < plane_height);
    confine(c, alive, y + 1 >= 0 && y + 1 < plane_height);
  }
#pragma unroll GENERATIONS_UNROLLED
  for (int g = 0; g < STEPS; ++g) {
    if (general && g >= steps) break;
#ifdef MOOREA_BLOCKS
    advance_pair(&old[g], &fresh[g], b, c, ((steps + odd) & 1) == 0, ((g + odd) & 1) != 0, shared,
                 (set + g) & 1);
#else
    advance_pair(&old[g], &fresh[g], b, c, shared, (set + g) & 1);
#endif
    if (general) {
      confine(b, alive, y - g - 1 >= 0 && y - g - 1 < plane_height);
      confine(c, alive, y - g >= 0 && y - g < plane_height);
    }
  }
}
