// SPDX-License-Identifier: MIT
// Soups, each on a square of its own until it has settled, and each in one warp.
//
// All is dead beyond the border of the square. That is exact while there are only ships in its ring, the
// outermost columns and rows, which fly outwards. It is examined every few generations. Ships that nothing
// can reach until then are taken from the square; see census/soup_run.h. If something else is in it, all
// cells are moved, if possible. A settled soup is partitioned into clusters. Follows soup_clusters.cuh.

// Live cells in the ring of the rows of a lane, and whether there are some in the outermost rows.
struct Ringed {
  int live;
  bool with_rows;
};

static __device__ __noinline__ Ringed in_ring(const word* square, int lane) {
  Ringed found = {0, false};
#pragma unroll 1
  for (int y = lane; y < size; y += 32) {
    const word* const row = row_of(square, y);
    if (is_outermost(y, ring)) {
      int here = 0;
#pragma unroll
      for (int k = 0; k < row_words; ++k) here += __popc(row[k]);
      found.live += here;
      found.with_rows = found.with_rows || here > 0;
    } else {
      constexpr int words = (ring + 31) / 32;
#pragma unroll
      for (int k = 0; k < words; ++k)
        found.live += __popc(row[k] & outermost(32 * k, ring)) +
                      __popc(row[row_words - 1 - k] & outermost(size - 32 * (k + 1), ring));
    }
  }
  return found;
}

// A ship that flies: the box that it stays in, if that moves with it, from the square's first cell.
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

// Whether two remain as near each other as they are.
static __device__ __forceinline__ bool fly_alike(const Flight& a, const Flight& b) {
  return a.dx == b.dx && a.dy == b.dy;
}

// As relation() of objects/meetings.h: whether two never come near each other.
static __device__ __forceinline__ bool are_apart(const Flight& a, const Flight& b) {
  float from = 0, to = 1e9f;
  limit(from, to, a.left - 3, a.right + 3, b.left, b.right, a.dx - b.dx);
  limit(from, to, a.top - 3, a.bottom + 3, b.top, b.bottom, a.dy - b.dy);
  return from >= to;
}

static __device__ __forceinline__ int of_lane(int value, int lane) {
  return static_cast<int>(__shfl_sync(all_lanes, static_cast<word>(value), lane));
}

// The state of a soup besides its cells.
struct Progress {
  int generation, ships, clusters;
  int x, y;  // columns and rows by which the cells have been moved
};

constexpr int nowhere = 32;

// Units of columns and of rows that have cells.
struct Extent {
  word columns, rows;
};

static __device__ __forceinline__ Extent extent_of(const word* square, int lane) {
  const word columns = live_units(square, lane);
  return {all_of(columns), __ballot_sync(all_lanes, columns != 0)};
}

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

// Takes a ship from a square, or puts it back.
static __device__ __forceinline__ void toggle(const Patch<ship_patch_rows>& patch, word* square) {
#pragma unroll
  for (int r = 0; r < ship_side; ++r) toggle_row(square, patch.x, patch.y + r, patch.cells[r]);
}

struct Move {
  int columns, rows;  // units
};

// How all cells, whose extent is `all`, have to be moved so that `others`, all but ships that fly outwards,
// are in the inner part of the square. Not at all if there is no way.
static __device__ __forceinline__ Move move_to_middle(const Extent& all, const Extent& others,
                                                      const SoupLists& lists, const Progress& soup,
                                                      int lane) {
  const Move by = {way_to_middle(others.columns, all.columns), way_to_middle(others.rows, all.rows)};
  if (by.columns == nowhere || by.rows == nowhere) return {0, 0};
  // Something could reach ships that have left, if the inner part were there
  bool is_near = false;
  for (int i = lane; i < soup.ships; i += 32)
    is_near = is_near || !is_away(lists.ships[i], soup.generation, soup.x + by.columns * unit,
                                  soup.y + by.rows * unit, size, ring);
  return __any_sync(all_lanes, is_near) ? Move{0, 0} : by;
}

enum Examined { is_legal, is_moved, is_crowded, is_cut_off, is_doubtful };
constexpr int max_tries = 3;   // examinations of one generation
constexpr int max_doubts = 6;  // examinations in which something may be a ship

// Whether something in the ring is no ship, whatever the host knows: it is larger, or steady as `found` is, a
// known cluster of this lane. Each lane examines one of its cells there, and thus not always all clusters.
static __device__ __forceinline__ bool cannot_leave(const word* square, const SoupCluster* found, int lane) {
  if (any_of(found != nullptr && found->kind == steady)) return true;
  bool is_large = false;
#pragma unroll 1
  for (int y = lane; y < size && !is_large; y += 32) {
    const word* const row = row_of(square, y);
#pragma unroll 1
    for (int k = 0; k < row_words; ++k) {
      const word live = row[k] & (is_outermost(y, ring) ? all_lanes : outermost(32 * k, ring));
      if (live == 0) continue;
      is_large = is_large_cluster(square, 32 * k + __ffs(static_cast<int>(live)) - 1, y);
      break;
    }
  }
  return any_of(is_large);
}

// Whether there are live cells that may influence what is beyond the border before the next examination.
static __device__ __noinline__ bool has_cells_at_border(const word* square, int lane) {
  word found = 0;
#pragma unroll 1
  for (int y = lane; y < size; y += 32) {
#pragma unroll 1
    for (int k = 0; k < row_words; ++k)
      found |= row_of(square, y)[k] & (is_outermost(y, interval) ? all_lanes : outermost(32 * k, interval));
  }
  return any_of(found != 0);
}

// Takes ships from the square that nothing can reach. If something else is in the ring, moves all cells, or
// says that the square does not suffice. If there is a reach, the soup is cut off instead, or it is in doubt,
// because that may be a ship that only the host knows. `was_moved`: this generation has been examined before.
static __device__ Examined examine_ring(const SoupsCall& call, Board& board, word* work, SoupLists& lists,
                                        Progress& soup, bool was_moved, int lane) {
  const Ringed ringed = in_ring(board.square, lane);
  if (!any_of(ringed.live > 0)) return is_legal;
  const int live = sum_of(ringed.live);
  // And the first cells of ships that are partly there
  const int seeds = find_seeds(board.square, board, ring + ship_side - 1, any_of(ringed.with_rows), lane);
  Patch<ship_patch_rows> patch;
  int covered = 0;
  const SoupCluster* found = nullptr;
  if (lane < seeds) {
    patch = patch_of<ship_patch_rows>(board.square, board.seeds[lane]);
    if (patch.is_first) {
#pragma unroll
      for (int r = 0; r < ship_patch_rows; ++r)
        covered += __popc(is_outermost(patch.y + r, ring) ? patch.cells[r]
                                                          : patch.cells[r] & outermost(patch.x, ring));
    }
    if (covered > 0 && patch.is_small) found = look_up(call, patch);
  }
  bool is_other = covered > 0 && (found == nullptr || found->kind != ship), leaves = false;
  Flight flight = {};
  int side_of_ship = 0;
  if (covered > 0 && !is_other) {
    const int left = patch.x, top = patch.y, right = left + 32 - __clz(static_cast<int>(patch.columns)),
              dx = found->dx, dy = found->dy;
    int bottom = top;
#pragma unroll
    for (int r = 0; r < ship_patch_rows; ++r) bottom = patch.cells[r] != 0 ? top + r + 1 : bottom;
    side_of_ship = max(right - left, bottom - top);
    leaves = beyond_inner_part(left, top, right, bottom, dx, dy, size, ring) >= out_of_reach(dx, dy);
    // Whether it is in the ring where it flies to, and remains on the square until the next examination
    const bool is_beside = (dx > 0 && right > size - ring) || (dx < 0 && left < ring),
               is_above = (dy > 0 && bottom > size - ring) || (dy < 0 && top < ring);
    const bool remains = ship_remains(left, top, right, bottom, dx, dy, size);
    is_other = !(is_beside || is_above) || !(leaves || remains);
    leaves = leaves && !is_other;
    flight = {left + found->left - 1,
              top + found->top - 1,
              left + found->right + 1,
              top + found->bottom + 1,
              dx,
              dy};
  }
  const bool is_ship = covered > 0 && !is_other;
  const word flying = __ballot_sync(all_lanes, is_ship), leaving = __ballot_sync(all_lanes, leaves);
  const bool has_others = __any_sync(all_lanes, is_other) || sum_of(covered) != live;
  int beside = 0;
  if (!has_others) {
    // Those that do not leave yet, too: what becomes of two that meet may cross the border before it is
    // examined. It cannot if they fly alike, unless all cells have just been moved: they are as if alone, or
    // one of them was in the inner part at the last examination. The host decides when they have left. Both
    // are in the ring when one of them leaves
    bool may_meet = false;
    for (word left = flying; left != 0; left &= left - 1) {
      const int from = __ffs(static_cast<int>(left)) - 1;
      const Flight another = {of_lane(flight.left, from),  of_lane(flight.top, from),
                              of_lane(flight.right, from), of_lane(flight.bottom, from),
                              of_lane(flight.dx, from),    of_lane(flight.dy, from)};
      if (!is_ship || from == lane || are_apart(flight, another)) continue;
      if (fly_alike(flight, another) && !was_moved)
        ++beside;
      else
        may_meet = true;
    }
    if (__any_sync(all_lanes, may_meet) || soup.ships + __popc(leaving) > max_soup_ships) return is_crowded;
    if (leaving == 0) return is_legal;
  }
  if (has_others) {
    if (is_cutting && cannot_leave(board.square, found, lane)) return is_cut_off;
    // The border remains dead until the next examination
    if (is_cutting && !has_cells_at_border(board.square, lane)) return is_doubtful;
    // The middle remains where it is
    if (soup_reach > 0) return is_crowded;
    const Extent all = extent_of(board.square, lane);
    __syncwarp();
    if (is_ship) toggle(patch, board.square);
    __syncwarp();
    const Extent others = extent_of(board.square, lane);
    __syncwarp();
    if (is_ship) toggle(patch, board.square);
    __syncwarp();
    const Move move = move_to_middle(all, others, lists, soup, lane);
    if (move.columns == 0 && move.rows == 0) return is_crowded;
    soup.x += move.columns * unit;
    soup.y += move.rows * unit;
    move_cells(board, work, move.columns, move.rows, lane);
    return is_moved;
  }
  if (leaves) {
    SoupShip& gone = lists.ships[soup.ships + __popc(leaving & low_bits(lane))];
    gone.x = static_cast<short>(patch.x - soup.x);
    gone.y = static_cast<short>(patch.y - soup.y);
    gone.id = found->id;
    gone.generation = static_cast<unsigned short>(soup.generation);
    gone.dx = found->dx;
    gone.dy = found->dy;
    gone.side = static_cast<unsigned char>(side_of_ship);
    gone.beside = static_cast<unsigned char>(beside);
    toggle(patch, board.square);
  }
  soup.ships += __popc(leaving);
  __syncwarp();
  return is_legal;
}

// Tells whether cells have recurred: the units that change, and a hash of the cells when these last did so,
// too.
struct Kept {
  word changed;
  Fingerprint hash;
};

// Whether the cells are those of `kept`, which becomes what to compare with next.
static __device__ __forceinline__ bool has_recurred(const word* square, word changed, Kept& kept, int lane) {
  const bool is_equal = !any_of(changed != kept.changed);
  kept.changed = changed;
  if (!is_equal) return false;
  const Fingerprint before = kept.hash;
  kept.hash = fingerprint(square, lane);
  return !any_of(kept.hash.one != before.one || kept.hash.other != before.other);
}

// Until the soup has settled, or is left to others.
static __device__ SoupStatus run(const SoupsCall& call, Board& board, word* work, SoupLists& lists,
                                 Progress& soup, int lane) {
  word changed = live_units(board.square, lane);
  Kept kept = {changed, {0, 0}};
  int since_kept = 0, doubts = 0;
  // Of a soup that comes from a smaller square
  if (is_cutting && soup.generation > 0) {
    const Examined last = examine_ring(call, board, work, lists, soup, false, lane);
    if (last != is_legal) return last == is_cut_off ? cut_off : last == is_doubtful ? doubtful : crowded;
  }
  while (soup.generation + interval <= call.max_generations) {
    const Advanced advanced = advance(board, work, changed, lane);
    if (advanced.is_crowded) return crowded;
    soup.generation += interval;
    since_kept += interval;
    Examined last = advanced.is_in_ring ? is_moved : is_legal;
#pragma unroll 1
    for (int tries = 0; tries < max_tries && last == is_moved; ++tries) {
      last = examine_ring(call, board, work, lists, soup, tries > 0, lane);
      if (last != is_moved) continue;
      // Cells that have been moved are compared with those of this generation
      changed = live_units(board.square, lane);
      since_kept = compared;
    }
    // What was in doubt becomes larger, or steady: the soup is cut off. If it does not, the host decides
    if (is_cutting && last == is_cut_off) return cut_off;
    if (is_cutting && last == is_doubtful && doubts++ < max_doubts) continue;
    if (doubts > 0) return doubtful;
    if (last != is_legal) return crowded;
    if (!any_of(changed != 0)) return examine(call, board, work, lists, soup.generation, soup.clusters, lane);
    if (since_kept < compared) continue;
    since_kept = 0;
    if (has_recurred(board.square, changed, kept, lane)) return unknown_cluster;
  }
  return doubts > 0 ? doubtful : unsettled;
}

static __device__ Progress progress_of(const SoupStart* start, SoupLists& lists, int lane) {
  if (start == nullptr) return {};
  for (int i = lane; i < start->ship_count; i += 32) lists.ships[i] = start->ships[i];
  return {start->generation, start->ship_count, 0, start->x, start->y};
}

// The same number for all lanes, of a counter that one of them increases.
static __device__ __forceinline__ int next_number(int* counter, int by, int lane) {
  const int mine = lane == 0 ? atomicAdd(counter, by) : 0;
  return of_lane(mine, 0);
}

constexpr int no_place = -1;

// First one of `count` places of a list of all thread blocks. No place if it is full.
static __device__ __forceinline__ int first_place(int* counter, int count, int end, int lane) {
  const int first = count == 0 ? 0 : next_number(counter, count, lane);
  return first + count <= end ? first : no_place;
}

#ifndef DYNAMIC_SHARED
#define DYNAMIC_SHARED(name, number) extern __shared__ uint4 name[]
#endif

extern "C" __global__ void __launch_bounds__(32, min_blocks) run_soups(SoupsCall call) {
  DYNAMIC_SHARED(memory, (sizeof(Board) + sizeof(uint4) - 1) / sizeof(uint4));
  Board& board = *reinterpret_cast<Board*>(memory);
  const int lane = static_cast<int>(threadIdx.x);
  word* const work = call.work + static_cast<long long>(blockIdx.x) * work_words;
  for (int i = lane; i < square_words; i += 32) board.square[i] = 0;
  __syncwarp();
  for (;;) {
    const int number = next_number(&call.counters->soups, 1, lane);
    if (number >= call.count) return;
    const SoupStart* const start = call.starts != nullptr ? call.starts + number : nullptr;
    begin(board.square, call.soups + static_cast<long long>(number) * (size * row_words / 4), start, lane);
    SoupLists& lists = call.lists[blockIdx.x];
    Progress soup = progress_of(start, lists, lane);
    SoupStatus status = run(call, board, work, lists, soup, lane);
    const int clusters = status == settled ? soup.clusters : 0;
    if (status >= cut_off) soup.ships = 0;
    __syncwarp();
    const int first_cluster = first_place(&call.counters->clusters, clusters, call.max_clusters, lane),
              first_ship = first_place(&call.counters->ships, soup.ships, call.max_ships, lane);
    const bool has_lists = first_cluster != no_place && first_ship != no_place;
    if (has_lists) {
      for (int i = lane; i < clusters; i += 32) call.clusters_of_all[first_cluster + i] = lists.clusters[i];
      for (int i = lane; i < soup.ships; i += 32) call.ships_of_all[first_ship + i] = lists.ships[i];
    } else {
      status = unsettled;
    }
    const int stored = status == settled || status >= cut_off || !has_lists
                           ? call.max_boards
                           : next_number(&call.counters->boards, 1, lane);
    const bool has_board = stored < call.max_boards;
    if (has_board) {
      word* const to = call.boards + static_cast<long long>(stored) * (size * row_words);
      for (int i = lane; i < size * row_words; i += 32)
        to[i] = row_of(board.square, i / row_words)[i % row_words];
    }
    if (lane == 0) {
      SoupResult& result = call.results[number];
      result.first_cluster = static_cast<word>(has_lists ? first_cluster : 0);
      result.first_ship = static_cast<word>(has_lists ? first_ship : 0);
      result.cluster_count = static_cast<unsigned short>(has_lists ? clusters : 0);
      result.ship_count = static_cast<unsigned short>(has_lists ? soup.ships : 0);
      result.status = static_cast<unsigned short>(status);
      result.generation = static_cast<unsigned short>(soup.generation);
      result.board = static_cast<unsigned short>(has_board ? stored + 1 : 0);
      result.x = static_cast<short>(soup.x);
      result.y = static_cast<short>(soup.y);
    }
    __syncwarp();
  }
}
