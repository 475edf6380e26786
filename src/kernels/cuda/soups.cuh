// SPDX-License-Identifier: MIT
// Soups, each on a square of its own until it has settled, and each in a warp.
//
// Beyond the border of the square all is dead. That is exact while there are only gliders in its ring, the
// outermost columns and rows, which fly outwards. The ring is examined every few generations. Gliders that
// nothing can reach until the next examination are taken from the square; see census/soup_run.h. If something
// else is in the ring, all cells are moved so that this is no longer so, if that is possible. A soup whose
// cells recur is partitioned into clusters. Follows the text of soup_clusters.cuh.

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

static __device__ __forceinline__ word all_of(word mine) {
  for (int other = 16; other > 0; other /= 2) mine |= __shfl_xor_sync(all_lanes, mine, other);
  return mine;
}

// The state of a soup besides its cells.
struct Progress {
  int generation, gliders, clusters;
  int x, y;  // columns and rows by which the cells have been moved
};

constexpr int nowhere = 32;

// Units by which cells have to be moved so that `others` are in the middle; `all` have to remain. The bits of
// both are units of columns, or of rows. Nowhere if the square does not suffice.
static __device__ __forceinline__ int way_to_middle(word others, word all) {
  constexpr int border = ring / unit;
  constexpr word inner = (all_lanes << border) & (all_lanes >> border);
  if ((others & ~inner) == 0) return 0;
  const int first = __ffs(static_cast<int>(others)) - 1, last = 31 - __clz(static_cast<int>(others));
  int by = (31 - last - first) / 2;
  by = by > 0 ? min(by, __clz(static_cast<int>(all)) - 1) : max(by, 2 - __ffs(static_cast<int>(all)));
  return by != 0 && first + by >= border && last + by < 32 - border ? by : nowhere;
}

// Whether nothing can reach a glider that has left, if the inner part is elsewhere by `x` and `y`.
static __device__ __forceinline__ bool is_away(const SoupGlider& glider, const Progress& soup, int x, int y) {
  const int flown = (soup.generation - glider.generation) / 4,
            left = glider.x + soup.x + glider.dx * flown + x, top = glider.y + soup.y + glider.dy * flown + y;
  const int beyond = max(glider.dx > 0 ? left - (size - ring) : ring - (left + glider_side),
                         glider.dy > 0 ? top - (size - ring) : ring - (top + glider_side));
  return beyond > out_of_reach;
}

// Takes a glider from the packed cells.
static __device__ __forceinline__ void hide(const Patch& patch, Board& board) {
  for (int r = 0; r < glider_side; ++r) {
    word* const row = row_of(board, patch.y + r) + patch.x / 32;
    const word low = patch.cells[r] << patch.x % 32, high = __funnelshift_l(patch.cells[r], 0, patch.x % 32);
    if (low != 0) atomicAnd(row, ~low);
    if (high != 0) atomicAnd(row + 1, ~high);
  }
}

// Moves all cells so that the packed ones, all but gliders that fly outwards, are in the inner part of the
// square. False if there is no way.
static __device__ bool move_to_middle(word (&cells)[rows][words], Board& board, const SoupResult& result,
                                      Progress& soup, int lane) {
  word all = 0, others = 0;
#pragma unroll
  for (int y = 0; y < rows; ++y) {
#pragma unroll
    for (int j = 0; j < words; ++j) all |= cells[y][j];
  }
#pragma unroll 1
  for (int k = 0; k < words; ++k) {
    word columns = 0;
    for (int y = 0; y < rows; ++y) columns |= row_of(board, lane * rows + y)[k];
    for (int i = 0; i < 32 / unit; ++i)
      others |= (columns >> i * unit & low_bits(unit)) != 0 ? 1u << (k * (32 / unit) + i) : 0;
  }
  const word all_rows = __ballot_sync(all_lanes, all != 0),
             other_rows = __ballot_sync(all_lanes, others != 0);
  const int columns = way_to_middle(all_of(others), all_of(all)), lanes = way_to_middle(other_rows, all_rows);
  if (columns == nowhere || lanes == nowhere || (columns == 0 && lanes == 0)) return false;
  const bool is_near = lane < soup.gliders && !is_away(result.gliders[lane < soup.gliders ? lane : 0], soup,
                                                       columns * unit, lanes * unit);
  if (__any_sync(all_lanes, is_near)) return false;
  move_cells(cells, columns, lanes, lane);
  soup.x += columns * unit;
  soup.y += lanes * unit;
  return true;
}

enum Examined { is_legal, is_moved, is_crowded };
constexpr int max_tries = 3;  // examinations of one generation

// Takes gliders from the square that nothing can reach. If something else is in the ring, moves all cells, or
// says that the square does not suffice.
static __device__ Examined examine_ring(const SoupsCall& call, word (&cells)[rows][words], Board& board,
                                        SoupResult& result, Progress& soup, int lane) {
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
    is_other = beyond <= -glider_side || patch.x < border || patch.y < border || right > size - border ||
               bottom > size - border;
    flight = {patch.x + ship->left - 1,
              patch.y + ship->top - 1,
              patch.x + ship->right + 1,
              patch.y + ship->bottom + 1,
              ship->dx,
              ship->dy};
  }
  if (__any_sync(all_lanes, is_other) || sum_of(covered) != live) {
    if (covered > 0 && !is_other) hide(patch, board);
    __syncwarp();
    return move_to_middle(cells, board, result, soup, lane) ? is_moved : is_crowded;
  }
  const bool is_glider = covered > 0;
  const word ships = __ballot_sync(all_lanes, is_glider), leaving = __ballot_sync(all_lanes, leaves);
  // Those that do not leave yet, too: what becomes of two that meet may cross the border before it is
  // examined
  bool may_meet = false;
  for (word left = ships; left != 0; left &= left - 1) {
    const int from = __ffs(static_cast<int>(left)) - 1;
    const Flight another = {of_lane(flight.left, from),  of_lane(flight.top, from),
                            of_lane(flight.right, from), of_lane(flight.bottom, from),
                            of_lane(flight.dx, from),    of_lane(flight.dy, from)};
    may_meet = may_meet || (is_glider && from != lane && !are_apart(flight, another));
  }
  const int last = soup.gliders + __popc(leaving);
  if (__any_sync(all_lanes, may_meet) || last > max_soup_gliders) return is_crowded;
  if (leaves) {
    SoupGlider& gone = result.gliders[soup.gliders + __popc(leaving & low_bits(lane))];
    gone.x = static_cast<short>(patch.x - soup.x);
    gone.y = static_cast<short>(patch.y - soup.y);
    gone.id = ship->id;
    gone.generation = static_cast<unsigned short>(soup.generation);
    gone.dx = ship->dx;
    gone.dy = ship->dy;
  }
  soup.gliders = last;
  for (word left = leaving; left != 0; left &= left - 1) {
    const int from = __ffs(static_cast<int>(left)) - 1;
    const int first_column = of_lane(patch.x, from), first_row = of_lane(patch.y, from);
#pragma unroll
    for (int r = 0; r < glider_side; ++r) {
      word gone = static_cast<word>(of_lane(static_cast<int>(patch.cells[r]), from));
      const int row = first_row + r - lane * rows;
      for (; gone != 0; gone &= gone - 1) {
        const int column = first_column + __ffs(static_cast<int>(gone)) - 1;
        const word bit = 1u << column / words;
#pragma unroll
        for (int y = 0; y < rows; ++y) {
#pragma unroll
          for (int j = 0; j < words; ++j) cells[y][j] &= y == row && j == column % words ? ~bit : all_lanes;
        }
      }
    }
  }
  return is_legal;
}

static __device__ void keep(const word (&cells)[rows][words], Board& board, int lane) {
#pragma unroll
  for (int y = 0; y < rows; ++y) {
#pragma unroll
    for (int j = 0; j < words; ++j) board.kept[(y * words + j) * 32 + lane] = cells[y][j];
  }
}

// Until the soup has settled, or is left to others.
static __device__ SoupStatus run(const SoupsCall& call, word (&cells)[rows][words], Board& board,
                                 SoupResult& result, Progress& soup, int lane) {
  int since_kept = 0;
  keep(cells, board, lane);
  while (soup.generation + interval <= call.max_generations) {
#pragma unroll 1
    for (int g = 0; g < interval; ++g) next_generation(cells, lane);
    soup.generation += interval;
    since_kept += interval;
    Examined last = is_moved;
    for (int tries = 0; tries < max_tries && last == is_moved; ++tries) {
      word ringed = 0;
#pragma unroll
      for (int y = 0; y < rows; ++y) {
#pragma unroll
        for (int j = 0; j < words; ++j) ringed |= in_ring(cells[y], lane * rows + y, j);
      }
      last = __any_sync(all_lanes, ringed != 0) ? examine_ring(call, cells, board, result, soup, lane)
                                                : is_legal;
      // Cells that have been moved are compared with those of this generation
      if (last == is_moved) since_kept = -1;
    }
    if (last != is_legal) return crowded;
    if (since_kept < 0) {
      since_kept = 0;
      keep(cells, board, lane);
    }
    if (since_kept < compared) continue;
    since_kept = 0;
    if (is_as_kept(cells, board, lane))
      return examine(call, cells, board, result, soup.generation, soup.clusters, lane);
    keep(cells, board, lane);
  }
  return unsettled;
}

extern "C" __global__ void __launch_bounds__(32 * warps_a_block, min_blocks) run_soups(SoupsCall call) {
  __shared__ Board boards[warps_a_block];
  const int lane = static_cast<int>(threadIdx.x) % 32;
  Board& board = boards[threadIdx.x / 32];
  for (int i = lane; i < static_cast<int>(sizeof board.cells / sizeof(word)); i += 32) board.cells[i] = 0;
  for (;;) {
    int number = lane == 0 ? atomicAdd(call.next, 1) : 0;
    number = of_lane(number, 0);
    if (number >= call.count) return;
    word cells[rows][words];
    begin(cells, call.soups + static_cast<long long>(number) * soup_side, lane);
    SoupResult& result = call.results[number];
    Progress soup = {};
    const SoupStatus status = run(call, cells, board, result, soup, lane);
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
      result.generation = static_cast<unsigned short>(soup.generation);
      result.x = static_cast<short>(soup.x);
      result.y = static_cast<short>(soup.y);
      result.cluster_count = static_cast<unsigned short>(soup.clusters);
      result.glider_count = static_cast<unsigned short>(soup.gliders);
    }
  }
}
