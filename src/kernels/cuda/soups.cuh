// SPDX-License-Identifier: MIT
// Soups, each on a square of its own until it has settled. A warp has a soup in its registers: a lane has
// `words` rows of `words` words. Bit i of word j of a row is column words * i + j, so that all but the first and
// the last word have their neighbours in other words.
//
// Beyond the border of the square all is dead. That is exact while there are only gliders in its ring, the
// outermost columns and rows, which fly outwards. The ring is examined every few generations. Gliders that
// nothing can reach until the next examination are taken from the square; see census/soup_run.h.
//
// A soup whose cells recur is partitioned into clusters, which are looked up in a table of periodic ones: each
// lane follows the cells of one cluster in shared memory, where the rows are packed as usual.
// Text for NVRTC, compiled for one rule and one size; hence no includes. Requires `word`, LUT3, MOOREA_NEXT
// (kernels/contract/cuda.h) and MOOREA_SOUP_WORDS.

constexpr int words = MOOREA_SOUP_WORDS;  // of a row; 4 or 8
constexpr int rows = words;               // of a lane
constexpr int size = 32 * words;          // columns and rows of the square
constexpr int warps_a_block = words == 4 ? 4 : 2, min_blocks = words == 4 ? 4 : 5;
constexpr word all_lanes = 0xFFFFFFFF;

constexpr int ring = 16;      // columns and rows
constexpr int interval = 8;   // generations between two examinations of it
constexpr int compared = 24;  // generations after which cells have to recur
constexpr int out_of_reach = interval + 3;
constexpr int moved = interval / 4;  // by a glider

constexpr int reach = 2;           // columns and rows to other cells of a cluster
constexpr int pitch = words + 1;   // words of a row in shared memory: one without cells precedes it
constexpr int patch_columns = 32;  // around the first cell of a cluster, which is in column `patch_left`
constexpr int patch_rows = cluster_side, patch_left = 15;
constexpr int max_seeds = 128;

// Of a warp. Rows without cells precede and follow those of the square.
struct Board {
  word cells[(reach + size + patch_rows) * pitch + 1];
  word kept[size * words];  // of the generation with which others are compared
  unsigned short seeds[max_seeds];  // row * 256 + column
  int seed_count;
};

struct Sum {
  word ones, twos;
};
struct RowSums {
  Sum of[words];
};

// Sums of three adjacent cells of a row.
static __device__ __forceinline__ RowSums row_sums(const word (&row)[words]) {
  RowSums sums;
#pragma unroll
  for (int j = 0; j < words; ++j) {
    const word before = j > 0 ? row[j > 0 ? j - 1 : 0] : row[words - 1] << 1;
    const word after = j < words - 1 ? row[j < words - 1 ? j + 1 : 0] : row[0] >> 1;
    sums.of[j] = {LUT3(before, row[j], after, 0x96), LUT3(before, row[j], after, 0xE8)};
  }
  return sums;
}

static __device__ __forceinline__ void next_generation(word (&cells)[rows][words], int lane) {
  word before[words], after[words];
#pragma unroll
  for (int j = 0; j < words; ++j) {
    const word up = __shfl_up_sync(all_lanes, cells[rows - 1][j], 1);
    const word down = __shfl_down_sync(all_lanes, cells[0][j], 1);
    before[j] = lane == 0 ? 0 : up;
    after[j] = lane == 31 ? 0 : down;
  }
  const RowSums beyond = row_sums(after);
  RowSums above = row_sums(before), at = row_sums(cells[0]);
#pragma unroll
  for (int y = 0; y < rows; y += 2) {
    const RowSums below = row_sums(cells[y + 1]);
    const RowSums last = y + 2 < rows ? row_sums(cells[y + 2 < rows ? y + 2 : 0]) : beyond;
#pragma unroll
    for (int j = 0; j < words; ++j) {
      word first, second;
      MOOREA_NEXT(above.of[j].ones, above.of[j].twos, at.of[j].ones, at.of[j].twos, below.of[j].ones,
                  below.of[j].twos, last.of[j].ones, last.of[j].twos, cells[y][j], cells[y + 1][j], &first,
                  &second);
      cells[y][j] = first;
      cells[y + 1][j] = second;
    }
    above = below;
    at = last;
  }
}

// The lowest 32 / words bits of a word, at every `words`-th bit; and back.
static __device__ __forceinline__ word spread(word bits) {
  if (words == 8) return ((bits & 0xF) * 0x00204081u) & 0x01010101u;
  bits &= 0xFF;
  bits = (bits | bits << 12) & 0x000F000Fu;
  bits = (bits | bits << 6) & 0x03030303u;
  return (bits | bits << 3) & 0x11111111u;
}

static __device__ __forceinline__ word gathered(word bits) {
  if (words == 8) return ((bits & 0x01010101u) * 0x01020408u) >> 24 & 0xF;
  bits &= 0x11111111u;
  bits = (bits | bits >> 3) & 0x03030303u;
  bits = (bits | bits >> 6) & 0x000F000Fu;
  return (bits | bits >> 12) & 0xFF;
}

static __device__ __forceinline__ word* row_of(Board& board, int y) {
  return board.cells + (y + reach) * pitch + 1;
}

static __device__ __forceinline__ void begin(word (&cells)[rows][words], const unsigned long long* soup,
                                             int lane) {
  constexpr int first_word = words / 2 - 1, bits = 32 / words, first_row = (size - soup_side) / 2;
#pragma unroll
  for (int y = 0; y < rows; ++y) {
    const int row = lane * rows + y - first_row;
    const unsigned long long packed = row >= 0 && row < soup_side ? soup[row] : 0;
    const word low = static_cast<word>(packed), high = static_cast<word>(packed >> 32);
#pragma unroll
    for (int j = 0; j < words; ++j)
      cells[y][j] = gathered(low >> j) << first_word * bits | gathered(high >> j) << (first_word + 1) * bits;
  }
}

static __device__ __forceinline__ void pack(const word (&cells)[rows][words], Board& board, int lane) {
  constexpr int bits = 32 / words;
  __syncwarp();
#pragma unroll
  for (int y = 0; y < rows; ++y) {
    word* const row = row_of(board, lane * rows + y);
#pragma unroll
    for (int k = 0; k < words; ++k) {
      word packed = 0;
#pragma unroll
      for (int j = 0; j < words; ++j) packed |= spread(cells[y][j] >> k * bits) << j;
      row[k] = packed;
    }
  }
  __syncwarp();
}

static __device__ __forceinline__ word low_bits(int count) {
  return count <= 0 ? 0 : count >= 32 ? all_lanes : (1u << count) - 1;
}

// Of 32 columns from `x` on: those in the outermost `depth` columns.
static __device__ __forceinline__ word outermost(int x, int depth) {
  return low_bits(depth - x) | ~low_bits(size - depth - x);
}

static __device__ __forceinline__ bool is_outermost(int y, int depth) { return y < depth || y >= size - depth; }

// The columns up to two before and after some of a word, whose neighbours in the row are given.
static __device__ __forceinline__ word widened(word before, word at, word after) {
  return at | __funnelshift_l(before, at, 1) | __funnelshift_l(before, at, 2) |
         __funnelshift_r(at, after, 1) | __funnelshift_r(at, after, 2);
}

static __device__ __forceinline__ word widened(word at) {
  return at | at << 1 | at << 2 | at >> 1 | at >> 2;
}

// Lists live cells that may be the first ones of their clusters, row by row: none that precedes them is at most
// two columns and rows away. Only those in the outermost `depth` columns and rows.
static __device__ void find_seeds(Board& board, int depth, int lane) {
  if (lane == 0) board.seed_count = 0;
  __syncwarp();
#pragma unroll 1
  for (int y = lane * rows; y < (lane + 1) * rows; ++y) {
    const word* const row = row_of(board, y);
    const word *const one = row - pitch, *const two = one - pitch;
#pragma unroll 1
    for (int k = 0; k < words; ++k) {
      const word at = row[k], before = row[k - 1];
      if (at == 0) continue;
      word first = at & ~(__funnelshift_l(before, at, 1) | __funnelshift_l(before, at, 2) |
                          widened(one[k - 1] | two[k - 1], one[k] | two[k], one[k + 1] | two[k + 1]));
      if (!is_outermost(y, depth)) first &= outermost(32 * k, depth);
      for (; first != 0; first &= first - 1) {
        const int place = atomicAdd(&board.seed_count, 1);
        if (place < max_seeds)
          board.seeds[place] = static_cast<unsigned short>(y * 256 + 32 * k + __ffs(static_cast<int>(first)) - 1);
      }
    }
  }
  __syncwarp();
}

// The cells of one cluster, in the columns from `x` and the rows from `y` on.
struct Patch {
  word cells[patch_rows];
  word columns;  // that have some
  int x, y;
  bool is_first;  // whether the seed is the first cell of the cluster; otherwise the rest is undefined
  bool is_small;  // whether it is at most cluster_side columns and rows large; otherwise cells may be missing
};

static __device__ __forceinline__ word window(const Board& board, int x, int y) {
  // A word before the row begins, and thus at a column that is not negative
  const int column = x + 32;
  const word* const from = board.cells + (y + reach) * pitch + column / 32;
  return __funnelshift_r(from[0], from[1], column % 32);
}

static __device__ __forceinline__ Patch patch_of(const Board& board, int seed) {
  Patch patch;
  patch.x = seed % 256 - patch_left;
  patch.y = seed / 256;
  word all[patch_rows];
#pragma unroll
  for (int r = 0; r < patch_rows; ++r) {
    all[r] = window(board, patch.x, patch.y + r);
    patch.cells[r] = 0;
  }
  patch.cells[0] = 1u << patch_left;
  for (word grown = 1; grown != 0;) {
    grown = 0;
#pragma unroll
    for (int r = 0; r < patch_rows; ++r) {
      word near = patch.cells[r];
      if (r > 0) near |= patch.cells[r > 0 ? r - 1 : 0];
      if (r > 1) near |= patch.cells[r > 1 ? r - 2 : 0];
      const word found = (widened(near) & all[r]) & ~patch.cells[r];
      patch.cells[r] |= found;
      grown |= found;
    }
#pragma unroll
    for (int r = patch_rows - 1; r >= 0; --r) {
      word near = 0;
      if (r + 1 < patch_rows) near |= patch.cells[r + 1 < patch_rows ? r + 1 : 0];
      if (r + 2 < patch_rows) near |= patch.cells[r + 2 < patch_rows ? r + 2 : 0];
      const word found = (widened(near) & all[r]) & ~patch.cells[r];
      patch.cells[r] |= found;
      grown |= found;
    }
  }
  const word above = window(board, patch.x, patch.y - 1), two_above = window(board, patch.x, patch.y - 2);
  patch.is_first = (patch.cells[0] & low_bits(patch_left)) == 0 &&
                   (widened(patch.cells[0] | patch.cells[1]) & above) == 0 &&
                   (widened(patch.cells[0]) & two_above) == 0;
  patch.columns = 0;
#pragma unroll
  for (int r = 0; r < patch_rows; ++r) patch.columns |= patch.cells[r];
  const word columns = patch.columns;
  const int low = __ffs(static_cast<int>(columns)) - 1;
  patch.is_small = ((patch.cells[patch_rows - 2] | patch.cells[patch_rows - 1]) == 0) &&
                   (columns & 0xC0000003u) == 0 && (columns >> low) >> cluster_side == 0;
  patch.x += low;
  patch.columns >>= low;
#pragma unroll
  for (int r = 0; r < patch_rows; ++r) patch.cells[r] >>= low;
  return patch;
}

// The cluster of a small patch in the table, or null.
static __device__ __forceinline__ const SoupCluster* look_up(const SoupsCall& call, const Patch& patch) {
  word cells[cluster_side / 2];
#pragma unroll
  for (int i = 0; i < cluster_side / 2; ++i) cells[i] = patch.cells[2 * i] | patch.cells[2 * i + 1] << 16;
  for (unsigned place = soup_cluster_place(cells, call.places);; place = (place + 1) & (call.places - 1)) {
    const SoupCluster& found = call.clusters[place];
    if (found.kind == no_cluster) return nullptr;
    word differs = 0;
#pragma unroll
    for (int i = 0; i < cluster_side / 2; ++i) differs |= found.cells[i] ^ cells[i];
    if (differs == 0) return &found;
  }
}

static __device__ __forceinline__ int sum_of(int value) {
  for (int other = 16; other > 0; other /= 2)
    value += static_cast<int>(__shfl_xor_sync(all_lanes, static_cast<word>(value), other));
  return value;
}

// Live cells of this lane in the ring.
static __device__ __forceinline__ word in_ring(const word (&row)[words], int y, int j) {
  constexpr word sides = (1u << ring / words) - 1;
  return is_outermost(y, ring) ? row[j] : row[j] & (sides | sides << (32 - ring / words));
}

// A glider that flies: the box that it stays in, if that moves with it, from the square's first cell.
struct Flight {
  int left, top, right, bottom, dx, dy;
};

// Times at which two intervals overlap, of which one moves by `velocity` against the other.
static __device__ __forceinline__ void limit(float& from, float& to, int a_low, int a_high, int b_low,
                                             int b_high, int quarters) {
  if (quarters == 0) {
    if (a_low >= b_high || b_low >= a_high) to = -1;
    return;
  }
  const float one = static_cast<float>(4 * (b_high - a_low)) / static_cast<float>(quarters),
              other = static_cast<float>(4 * (b_low - a_high)) / static_cast<float>(quarters);
  from = fmaxf(from, fminf(one, other));
  to = fminf(to, fmaxf(one, other));
}

// As relation() of objects/meetings.h.
static __device__ __forceinline__ bool are_apart(const Flight& a, const Flight& b) {
  float from = 0, to = 1e9f;
  limit(from, to, a.left - 3, a.right + 3, b.left, b.right, a.dx - b.dx);
  limit(from, to, a.top - 3, a.bottom + 3, b.top, b.bottom, a.dy - b.dy);
  return from >= to;
}

static __device__ __forceinline__ int of_lane(int value, int lane) {
  return static_cast<int>(__shfl_sync(all_lanes, static_cast<word>(value), lane));
}

// Takes gliders from the square that nothing can reach. False if something else is in the ring.
static __device__ bool examine_ring(const SoupsCall& call, word (&cells)[rows][words], Board& board,
                                    SoupResult& result, int& gliders, int generation, int lane) {
  int live = 0;
#pragma unroll
  for (int y = 0; y < rows; ++y) {
#pragma unroll
    for (int j = 0; j < words; ++j) live += __popc(in_ring(cells[y], lane * rows + y, j));
  }
  live = sum_of(live);
  pack(cells, board, lane);
  find_seeds(board, ring + 3, lane);  // and those of gliders that are partly there
  const int seeds = board.seed_count;
  if (seeds > 32) return false;
  Patch patch;
  int covered = 0;
  const SoupCluster* ship = nullptr;
  if (lane < seeds) {
    patch = patch_of(board, board.seeds[lane]);
    if (patch.is_first) {
#pragma unroll
      for (int r = 0; r < patch_rows; ++r)
        covered += __popc(is_outermost(patch.y + r, ring) ? patch.cells[r]
                                                          : patch.cells[r] & outermost(patch.x, ring));
    }
    if (covered > 0 && patch.is_small) ship = look_up(call, patch);
  }
  bool is_other = covered > 0 && (ship == nullptr || ship->kind != glider), leaves = false;
  Flight flight = {};
  if (covered > 0 && !is_other) {
    const int right = patch.x + 32 - __clz(static_cast<int>(patch.columns));
    int bottom = patch.y;
#pragma unroll
    for (int r = 0; r < patch_rows; ++r) bottom = patch.cells[r] != 0 ? patch.y + r + 1 : bottom;
    // Distance from the inner part on a side to which it flies
    const int beyond = max(ship->dx > 0 ? patch.x - (size - ring) : ring - right,
                           ship->dy > 0 ? patch.y - (size - ring) : ring - bottom);
    leaves = beyond >= out_of_reach;
    const int border = leaves ? 0 : moved + 1;
    is_other = beyond <= -4 || patch.x < border || patch.y < border || right > size - border ||
               bottom > size - border;
    flight = {patch.x + ship->left - 1,   patch.y + ship->top - 1, patch.x + ship->right + 1,
              patch.y + ship->bottom + 1, ship->dx,                ship->dy};
  }
  if (__any_sync(all_lanes, is_other) || sum_of(covered) != live) return false;
  const word ships = __ballot_sync(all_lanes, covered > 0), leaving = __ballot_sync(all_lanes, leaves);
  if (leaving == 0) return true;
  bool may_meet = false;
  for (word left = ships; left != 0; left &= left - 1) {
    const int from = __ffs(static_cast<int>(left)) - 1;
    const Flight another = {of_lane(flight.left, from),   of_lane(flight.top, from), of_lane(flight.right, from),
                            of_lane(flight.bottom, from), of_lane(flight.dx, from),  of_lane(flight.dy, from)};
    may_meet = may_meet || (leaves && from != lane && !are_apart(flight, another));
  }
  const int last = gliders + __popc(leaving);
  if (__any_sync(all_lanes, may_meet) || last > max_soup_gliders) return false;
  if (leaves) {
    SoupGlider& gone = result.gliders[gliders + __popc(leaving & low_bits(lane))];
    gone.x = static_cast<short>(patch.x);
    gone.y = static_cast<short>(patch.y);
    gone.id = ship->id;
    gone.generation = static_cast<unsigned short>(generation);
  }
  gliders = last;
  for (word left = leaving; left != 0; left &= left - 1) {
    const int from = __ffs(static_cast<int>(left)) - 1;
    const int first_column = of_lane(patch.x, from), first_row = of_lane(patch.y, from);
#pragma unroll
    for (int r = 0; r < 4; ++r) {
      word gone = static_cast<word>(of_lane(static_cast<int>(patch.cells[r]), from));
      const int row = first_row + r - lane * rows;
      for (; gone != 0; gone &= gone - 1) {
        const int column = first_column + __ffs(static_cast<int>(gone)) - 1;
        const word bit = 1u << column / words;
#pragma unroll
        for (int y = 0; y < rows; ++y) {
#pragma unroll
          for (int j = 0; j < words; ++j)
            cells[y][j] &= y == row && j == column % words ? ~bit : all_lanes;
        }
      }
    }
  }
  return true;
}

// Number of clusters, or max_seeds + 1 if there may be more; calls visit(patch, is_first) for one after the
// other in each lane.
template <class Visit>
static __device__ __forceinline__ int for_each_cluster(const word (&cells)[rows][words], Board& board, int lane,
                                                       const Visit& visit) {
  pack(cells, board, lane);
  find_seeds(board, size, lane);
  const int seeds = board.seed_count;
  if (seeds > max_seeds) return max_seeds + 1;
  int count = 0;
#pragma unroll 1
  for (int first = 0; first < seeds; first += 32) {
    Patch patch = {};
    if (first + lane < seeds) patch = patch_of(board, board.seeds[first + lane]);
    visit(patch, count);
    count += __popc(__ballot_sync(all_lanes, patch.is_first));
  }
  return count;
}

// Lists the clusters if all are steady, and will fall into `parts` clusters if they do not influence each other
// in the next generation. Returns settled, or why it is not known.
static __device__ SoupStatus list_clusters(const SoupsCall& call, const word (&cells)[rows][words], Board& board,
                                           SoupResult& result, int& count, int& parts, int lane) {
  bool is_unknown = false;
  int mine = 0;
  count = for_each_cluster(cells, board, lane, [&](const Patch& patch, int listed) {
    const word found = __ballot_sync(all_lanes, patch.is_first);
    if (!patch.is_first) return;
    const SoupCluster* const cluster = patch.is_small ? look_up(call, patch) : nullptr;
    const int place = listed + __popc(found & low_bits(lane));
    if (cluster == nullptr || cluster->kind != steady) {
      is_unknown = true;
    } else {
      mine += cluster->parts;
      if (place < max_soup_clusters) result.clusters[place] = cluster->id;
    }
  });
  parts = sum_of(mine);
  if (count > max_soup_clusters) return many_clusters;
  return __any_sync(all_lanes, is_unknown) ? unknown_cluster : settled;
}

// A soup whose cells recur: it has settled if its clusters, in one of two generations, are steady and fall into
// as many in the next one as they do alone. If two of them were nearer then, there would be fewer.
static __device__ SoupStatus examine(const SoupsCall& call, word (&cells)[rows][words], Board& board,
                                     SoupResult& result, int& count, int lane) {
  int parts = 0, other_count = 0, other_parts = 0;
  SoupStatus status = list_clusters(call, cells, board, result, count, parts, lane);
  next_generation(cells, lane);
  if (status == settled) {
    other_count = for_each_cluster(cells, board, lane, [](const Patch&, int) {});
    if (other_count == parts) return settled;
  }
  const int first_count = count;
  __syncwarp();
  status = list_clusters(call, cells, board, result, other_count, other_parts, lane);
  count = other_count;
  return status == settled && other_parts != first_count ? near_clusters : status;
}

// Until the soup has settled, or is left to others.
static __device__ SoupStatus run(const SoupsCall& call, word (&cells)[rows][words], Board& board,
                                 SoupResult& result, int& generation, int& gliders, int& clusters, int lane) {
  int since_kept = 0;
#pragma unroll
  for (int y = 0; y < rows; ++y) {
#pragma unroll
    for (int j = 0; j < words; ++j) board.kept[(y * words + j) * 32 + lane] = cells[y][j];
  }
  while (generation + interval <= call.max_generations) {
#pragma unroll 1
    for (int g = 0; g < interval; ++g) next_generation(cells, lane);
    generation += interval;
    since_kept += interval;
    word ringed = 0;
#pragma unroll
    for (int y = 0; y < rows; ++y) {
#pragma unroll
      for (int j = 0; j < words; ++j) ringed |= in_ring(cells[y], lane * rows + y, j);
    }
    if (__any_sync(all_lanes, ringed != 0) &&
        !examine_ring(call, cells, board, result, gliders, generation, lane))
      return crowded;
    if (since_kept < compared) continue;
    since_kept = 0;
    word differs = 0;
#pragma unroll
    for (int y = 0; y < rows; ++y) {
#pragma unroll
      for (int j = 0; j < words; ++j) {
        word& kept = board.kept[(y * words + j) * 32 + lane];
        differs |= kept ^ cells[y][j];
        kept = cells[y][j];
      }
    }
    if (!__any_sync(all_lanes, differs != 0)) {
      const SoupStatus status = examine(call, cells, board, result, clusters, lane);
      ++generation;
      return status;
    }
  }
  return unsettled;
}

extern "C" __global__ void __launch_bounds__(32 * warps_a_block, min_blocks) run_soups(SoupsCall call) {
  __shared__ Board boards[warps_a_block];
  const int lane = static_cast<int>(threadIdx.x) % 32;
  Board& board = boards[threadIdx.x / 32];
  for (int i = lane; i < static_cast<int>(sizeof board.cells / sizeof(word)); i += 32) board.cells[i] = 0;
  for (;;) {
    int soup = lane == 0 ? atomicAdd(call.next, 1) : 0;
    soup = of_lane(soup, 0);
    if (soup >= call.count) return;
    word cells[rows][words];
    begin(cells, call.soups + static_cast<long long>(soup) * soup_side, lane);
    SoupResult& result = call.results[soup];
    int generation = 0, gliders = 0, clusters = 0;
    const SoupStatus status = run(call, cells, board, result, generation, gliders, clusters, lane);
    const bool stores = status != settled && (status != crowded || call.stores_crowded != 0);
    const int stored = of_lane(stores && lane == 0 ? atomicAdd(call.board_count, 1) : 0, 0);
    const bool has_board = stores && stored < call.max_boards;
    if (has_board) {
      pack(cells, board, lane);
      word* const to = call.boards + static_cast<long long>(stored) * (size * words);
      for (int i = lane; i < size * words; i += 32) to[i] = row_of(board, i / words)[i % words];
    }
    if (lane == 0) {
      result.board = static_cast<unsigned short>(has_board ? stored + 1 : 0);
      result.status = static_cast<unsigned short>(status);
      result.generation = static_cast<unsigned short>(generation);
      result.cluster_count = static_cast<unsigned short>(clusters);
      result.glider_count = static_cast<unsigned short>(gliders);
    }
  }
}
