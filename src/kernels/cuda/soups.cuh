// SPDX-License-Identifier: MIT
// Soups, each on a square of its own until it has settled, and each in one warp, or in a thread block.
//
// Beyond the border of the square all is dead. That is exact while there are only ships in its ring, the
// outermost columns and rows, which fly outwards. The ring is examined every few generations. Ships that
// nothing can reach until the next examination are taken from the square; see census/soup_run.h. If something
// else is in the ring, all cells are moved so that this is no longer so, if that is possible. A soup whose
// cells recur is partitioned into clusters. Follows the text of soup_clusters.cuh.

// Of word j of a row of this lane: live cells in the ring.
static __device__ __forceinline__ word in_ring(const word (&cells)[rows][words], int y, int j, int line) {
  constexpr word columns = (1u << ring / words) - 1;
  const int column = first_word(line) / words;
  const word sides = (column == 0 ? columns : 0) | (column == side - 1 ? columns << (32 - ring / words) : 0);
  return is_outermost(first_row(line) + y, ring) ? cells[y][j] : cells[y][j] & sides;
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

static __device__ __forceinline__ word all_of(word mine) {
  for (int other = 16; other > 0; other /= 2) mine |= __shfl_xor_sync(all_lanes, mine, other);
  return mine;
}

// The state of a soup besides its cells.
struct Progress {
  int generation, ships, clusters;
  int x, y;  // columns and rows by which the cells have been moved
};

constexpr int nowhere = 32;

// Sum over the lanes of a soup. The caller is not in it again before it has called sync().
static __device__ __forceinline__ int sum_of_soup(int value, Board& board, int line) {
  value = sum_of(value);
  if (soup_warps == 1) return value;
  if (line % 32 == 0) board.sums[line / 32] = value;
  sync();
  int sum = 0;
  for (int i = 0; i < soup_warps; ++i) sum += board.sums[i];
  return sum;
}

// Units of columns and of rows that have cells.
struct Extent {
  word columns, rows;
};

// Of the packed cells.
static __device__ __noinline__ Extent extent_of(Board& board, int lane) {
  word columns = 0;
#pragma unroll 1
  for (int k = 0; k < row_words; ++k) {
    word here = 0;
#pragma unroll 1
    for (int y = 0; y < unit; ++y) here |= row_of(board, lane * unit + y)[k];
#pragma unroll 1
    for (int i = 0; i < 32 / unit; ++i)
      columns |= (here >> i * unit & low_bits(unit)) != 0 ? 1u << (k * (32 / unit) + i) : 0;
  }
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

// Takes a ship from the packed cells, or puts it back. By one warp of a soup.
static __device__ __forceinline__ void toggle(const Patch<ship_patch_rows>& patch, Board& board) {
#pragma unroll
  for (int r = 0; r < ship_side; ++r) toggle_row(board, patch.x, patch.y + r, patch.cells[r]);
}

struct Move {
  int columns, units;
};

// How all cells, whose extent is `all`, have to be moved so that `others`, all but ships that fly outwards,
// are in the inner part of the square. Not at all if there is no way.
static __device__ __forceinline__ Move move_to_middle(const Extent& all, const Extent& others,
                                                      const SoupResult& result, const Progress& soup,
                                                      int lane) {
  const Move by = {way_to_middle(others.columns, all.columns), way_to_middle(others.rows, all.rows)};
  if (by.columns == nowhere || by.units == nowhere) return {0, 0};
  // Something could reach ships that have left, if the inner part were there
  bool is_near = false;
  for (int i = lane; i < soup.ships; i += 32)
    is_near = is_near || !is_away(result.ships[i], soup.generation, soup.x + by.columns * unit,
                                  soup.y + by.units * unit, size);
  return __any_sync(all_lanes, is_near) ? Move{0, 0} : by;
}

enum Examined { is_legal, is_moved, is_crowded };
constexpr int max_tries = 3;  // examinations of one generation

// Takes ships from the square that nothing can reach. If something else is in the ring, moves all cells, or
// says that the square does not suffice. `was_moved`: this generation has been examined before.
static __device__ Examined examine_ring(const SoupsCall& call, word (&cells)[rows][words], Board& board,
                                        SoupResult& result, Progress& soup, bool was_moved, int line) {
  const int lane = line % 32;
  int live = 0;
#pragma unroll
  for (int y = 0; y < rows; ++y) {
#pragma unroll
    for (int j = 0; j < words; ++j) live += __popc(in_ring(cells, y, j, line));
  }
  static_assert(ring % rows == 0, "the rows of a lane are in the ring or not");
  const bool with_rows = any_of(live > 0 && is_outermost(first_row(line), ring));
  live = sum_of_soup(live, board, line);
  pack(cells, board, with_rows ? sides_and_rows : sides, line);
  find_seeds(board, ring + ship_side - 1, with_rows, line);  // and those of ships that are partly there
  const int seeds = board.seed_count;
  Patch<ship_patch_rows> patch;
  int covered = 0;
  const SoupCluster* found = nullptr;
  if (lane < seeds) {
    patch = patch_of<ship_patch_rows>(board, board.seeds[lane]);
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
    leaves = beyond_inner_part(left, top, right, bottom, dx, dy, size) >= out_of_reach(dx, dy);
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
  pack(cells, board, all_cells, line);
  Move move = {0, 0};
  if (has_others) {
    const Extent all = extent_of(board, lane);
    sync();
    if (line < 32 && is_ship) toggle(patch, board);
    sync();
    const Extent others = extent_of(board, lane);
    sync();
    if (line < 32 && is_ship) toggle(patch, board);
    move = move_to_middle(all, others, result, soup, lane);
    if (move.columns == 0 && move.units == 0) return is_crowded;
    soup.x += move.columns * unit;
    soup.y += move.units * unit;
  } else {
    if (leaves) {
      SoupShip& gone = result.ships[soup.ships + __popc(leaving & low_bits(lane))];
      gone.x = static_cast<short>(patch.x - soup.x);
      gone.y = static_cast<short>(patch.y - soup.y);
      gone.id = found->id;
      gone.generation = static_cast<unsigned short>(soup.generation);
      gone.dx = found->dx;
      gone.dy = found->dy;
      gone.side = static_cast<unsigned char>(side_of_ship);
      gone.beside = static_cast<unsigned char>(beside);
      if (line < 32) toggle(patch, board);
    }
    soup.ships += __popc(leaving);
  }
  unpack(cells, board, move.columns, move.units, line);
  return has_others ? is_moved : is_legal;
}

// Until the soup has settled, or is left to others.
static __device__ SoupStatus run(const SoupsCall& call, word (&cells)[rows][words], Board& board,
                                 SoupResult& result, Progress& soup, int line) {
  int since_kept = 0;
  Fingerprint kept = fingerprint(cells);
  while (soup.generation + interval <= call.max_generations) {
#pragma unroll 1
    for (int g = 0; g < interval; ++g) next_generation(cells, board, g % 2, line);
    soup.generation += interval;
    since_kept += interval;
    Examined last = is_moved;
#pragma unroll 1
    for (int tries = 0; tries < max_tries && last == is_moved; ++tries) {
      word ringed = 0;
#pragma unroll
      for (int y = 0; y < rows; ++y) {
#pragma unroll
        for (int j = 0; j < words; ++j) ringed |= in_ring(cells, y, j, line);
      }
      last = any_of(ringed != 0) ? examine_ring(call, cells, board, result, soup, tries > 0, line) : is_legal;
      // Cells that have been moved are compared with those of this generation
      if (last == is_moved) since_kept = -1;
    }
    if (last != is_legal) return crowded;
    if (since_kept >= 0 && since_kept < compared) continue;
    const Fingerprint now = fingerprint(cells);
    if (since_kept > 0 && are_equal(kept, now))
      return examine(call, cells, board, result, kept, soup.generation, soup.clusters, line);
    since_kept = 0;
    kept = now;
  }
  return unsettled;
}

static __device__ Progress progress_of(const SoupStart* start, SoupResult& result, int lane) {
  if (start == nullptr) return {};
  for (int i = lane; i < start->ship_count; i += 32) result.ships[i] = start->ships[i];
  return {start->generation, start->ship_count, 0, start->x, start->y};
}

// The same number for all lanes of a soup, of a counter that one of them increases.
static __device__ __forceinline__ int next_number(int* counter, Board& board, int line) {
  sync();
  if (line == 0) board.number = atomicAdd(counter, 1);
  sync();
  return board.number;
}

extern "C" __global__ void __launch_bounds__(lines* soups_a_block, min_blocks) run_soups(SoupsCall call) {
  __shared__ Board boards[soups_a_block];
  const int line = static_cast<int>(threadIdx.x) % lines;
  Board& board = boards[threadIdx.x / lines];
  for (int i = line; i < static_cast<int>(sizeof board.cells / sizeof(word)); i += lines) board.cells[i] = 0;
  for (int i = line; i < static_cast<int>(sizeof board.borders / sizeof(word)); i += lines)
    reinterpret_cast<word*>(board.borders)[i] = 0;
  for (;;) {
    const int number = next_number(call.next, board, line);
    if (number >= call.count) return;
    word cells[rows][words];
    const SoupStart* const start = call.starts != nullptr ? call.starts + number : nullptr;
    begin(cells, board, call.soups + static_cast<long long>(number) * (size * row_words / 4), start, line);
    SoupResult& result = call.results[number];
    Progress soup = progress_of(start, result, line % 32);
    const SoupStatus status = run(call, cells, board, result, soup, line);
    const int stored = status == settled ? call.max_boards : next_number(call.board_count, board, line);
    const bool has_board = stored < call.max_boards;
    if (has_board) {
      pack(cells, board, all_cells, line);
      word* const to = call.boards + static_cast<long long>(stored) * (size * row_words);
      for (int i = line; i < size * row_words; i += lines)
        to[i] = row_of(board, i / row_words)[i % row_words];
    }
    if (line == 0) {
      result.board = static_cast<unsigned short>(has_board ? stored + 1 : 0);
      result.status = static_cast<unsigned short>(status);
      result.generation = static_cast<unsigned short>(soup.generation);
      result.x = static_cast<short>(soup.x);
      result.y = static_cast<short>(soup.y);
      result.cluster_count = static_cast<unsigned short>(soup.clusters);
      result.ship_count = static_cast<unsigned short>(soup.ships);
    }
  }
}
