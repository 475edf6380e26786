// SPDX-License-Identifier: MIT
// Partition of a soup's cells into clusters, which are looked up in a table of periodic ones: each lane
// follows the cells of one cluster. Follows the text of soup_cells.cuh.

// The columns up to two before and after some of a word, whose neighbours in the row are given.
static __device__ __forceinline__ word widened(word before, word at, word after) {
  return at | __funnelshift_l(before, at, 1) | __funnelshift_l(before, at, 2) |
         __funnelshift_r(at, after, 1) | __funnelshift_r(at, after, 2);
}

static __device__ __forceinline__ word widened(word at) { return at | at << 1 | at << 2 | at >> 1 | at >> 2; }

static_assert(2 * ((ring + ship_side + 30) / 32) <= row_words, "a row has the words of both sides once");

// Lists live cells that may be the first ones of their clusters: none that precedes them is at
// most two columns and rows away. Only those in the outermost `depth` columns,
// and if `with_rows` those in as many rows. Returns their number; no more than max_seeds are listed.
static __device__ __noinline__ int find_seeds(const word* square, Board& board, int depth, bool with_rows,
                                              int lane) {
  const int words = (depth + 31) / 32;  // of a row that is not whole, on each side
  if (lane == 0) board.seed_count = 0;
  __syncwarp();
#pragma unroll 1
  for (int y = lane; y < size; y += 32) {
    const word* const row = row_of(square, y);
    const word *const one = row - pitch, *const two = one - pitch;
    const bool is_whole = with_rows && is_outermost(y, depth);
    word live = row[0] | row[row_words - 1];
    if (is_whole || words > 1) {
#pragma unroll 1
      for (int k = 1; k < row_words - 1; ++k) live |= row[k];
    }
    if (!any_of(live != 0)) continue;
#pragma unroll 1
    for (int k = 0; k < row_words; k += is_whole || k != words - 1 ? 1 : row_words - 2 * words + 1) {
      const word at = row[k], before = row[k - 1];
      if (at == 0) continue;
      word first = at & ~(__funnelshift_l(before, at, 1) | __funnelshift_l(before, at, 2) |
                          widened(one[k - 1] | two[k - 1], one[k] | two[k], one[k + 1] | two[k + 1]));
      if (!is_whole) first &= outermost(32 * k, depth);
      for (; first != 0; first &= first - 1) {
        const int place = atomicAdd(&board.seed_count, 1);
        if (place < max_seeds)
          board.seeds[place] = static_cast<word>(y * size + 32 * k + __ffs(static_cast<int>(first)) - 1);
      }
    }
  }
  __syncwarp();
  const int found = board.seed_count;
  __syncwarp();  // before it is counted again
  return found;
}

// The cells of one cluster, in the columns from `x` and the rows from `y` on.
template <int height>
struct Patch {
  word cells[height];
  word columns;  // that have some
  int x, y;
  // Whether the seed is the first cell of the cluster; otherwise the rest is undefined. It may also be true
  // of another cell of a cluster that is not small.
  bool is_first;
  // Whether it is at most cluster_side columns and height - 2 rows large; otherwise cells may be missing
  bool is_small;
};

// 32 columns of a row.
static __device__ __forceinline__ word columns_from(const word* square, int x, int y) {
  // A word before the row begins, and thus at a column that is not negative
  const int column = x + 32;
  const word* const from = row_of(square, y) - 1 + column / 32;
  return __funnelshift_r(from[0], from[1], column % 32);
}

template <int height>
static __device__ __noinline__ Patch<height> patch_of(const word* square, word seed) {
  Patch<height> patch;
  patch.x = static_cast<int>(seed % size) - patch_left;
  patch.y = static_cast<int>(seed / size);
  word all[height];
#pragma unroll
  for (int r = 0; r < height; ++r) {
    all[r] = columns_from(square, patch.x, patch.y + r);
    patch.cells[r] = 0;
  }
  patch.cells[0] = 1u << patch_left;
  for (word grown = 1; grown != 0;) {
    grown = 0;
#pragma unroll
    for (int r = 0; r < height; ++r) {
      word near = patch.cells[r];
      if (r > 0) near |= patch.cells[r > 0 ? r - 1 : 0];
      if (r > 1) near |= patch.cells[r > 1 ? r - 2 : 0];
      const word found = (widened(near) & all[r]) & ~patch.cells[r];
      patch.cells[r] |= found;
      grown |= found;
    }
#pragma unroll
    for (int r = height - 1; r >= 0; --r) {
      word near = 0;
      if (r + 1 < height) near |= patch.cells[r + 1 < height ? r + 1 : 0];
      if (r + 2 < height) near |= patch.cells[r + 2 < height ? r + 2 : 0];
      const word found = (widened(near) & all[r]) & ~patch.cells[r];
      patch.cells[r] |= found;
      grown |= found;
    }
  }
  const word above = columns_from(square, patch.x, patch.y - 1),
             two_above = columns_from(square, patch.x, patch.y - 2);
  patch.is_first = (patch.cells[0] & low_bits(patch_left)) == 0 &&
                   (widened(patch.cells[0] | patch.cells[1]) & above) == 0 &&
                   (widened(patch.cells[0]) & two_above) == 0;
  patch.columns = 0;
#pragma unroll
  for (int r = 0; r < height; ++r) patch.columns |= patch.cells[r];
  const word columns = patch.columns;
  const int low = __ffs(static_cast<int>(columns)) - 1;
  patch.is_small = ((patch.cells[height - 2] | patch.cells[height - 1]) == 0) &&
                   (columns & 0xC0000003u) == 0 && (columns >> low) >> cluster_side == 0;
  patch.x += low;
  patch.columns >>= low;
#pragma unroll
  for (int r = 0; r < height; ++r) patch.cells[r] >>= low;
  return patch;
}

// Columns and rows of the largest ships that the host lets leave a soup's reach.
constexpr int max_leaving = 8;

// Whether the cluster of a live cell has more of either.
static __device__ __noinline__ bool is_large_cluster(const word* square, int x, int y) {
  constexpr int height = 2 * max_leaving + 1;
  static_assert(halo >= max_leaving && patch_left > max_leaving, "the cluster's cells around this one");
  word all[height], cells[height];
#pragma unroll
  for (int r = 0; r < height; ++r) {
    all[r] = columns_from(square, x - patch_left, y + r - max_leaving);
    cells[r] = 0;
  }
  cells[max_leaving] = 1u << patch_left;
  for (word grown = 1; grown != 0;) {
    grown = 0;
#pragma unroll
    for (int r = 0; r < height; ++r) {
      word near = cells[r];
#pragma unroll
      for (int other = r > 1 ? r - 2 : 0; other < r + 3 && other < height; ++other) near |= cells[other];
      const word found = widened(near) & all[r] & ~cells[r];
      cells[r] |= found;
      grown |= found;
    }
  }
  word columns = 0;
  int first = height, last = 0;
#pragma unroll
  for (int r = 0; r < height; ++r) {
    columns |= cells[r];
    if (cells[r] == 0) continue;
    first = min(first, r);
    last = r;
  }
  return last - first >= max_leaving || columns >> (__ffs(static_cast<int>(columns)) - 1) >> max_leaving != 0;
}

// The cluster of a small patch in the table, or null.
template <int height>
static __device__ __forceinline__ const SoupCluster* look_up(const SoupsCall& call,
                                                             const Patch<height>& patch) {
  word cells[cluster_side / 2];
#pragma unroll
  for (int i = 0; i < cluster_side / 2; ++i)
    cells[i] = 2 * i < height ? patch.cells[2 * i % height] | patch.cells[(2 * i + 1) % height] << 16 : 0;
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

// Number of clusters, or -1 if it is not known, because there are too many or one is not small. Calls
// visit(patch, seed, count) for one after the other in each lane: with the number of those in calls before.
template <class Visit>
static __device__ __forceinline__ int for_each_cluster(const word* square, Board& board, int lane,
                                                       const Visit& visit) {
  const int seeds = find_seeds(square, board, size, true, lane);
  if (seeds > max_seeds) return -1;
  int count = 0;
  bool is_any_large = false;
#pragma unroll 1
  for (int first = 0; first < seeds; first += 32) {
    Patch<patch_rows> patch = {};
    if (first + lane < seeds) patch = patch_of<patch_rows>(square, board.seeds[first + lane]);
    visit(patch, first + lane < seeds ? board.seeds[first + lane] : 0, count);
    is_any_large = is_any_large || (patch.is_first && !patch.is_small);
    count += __popc(__ballot_sync(all_lanes, patch.is_first));
  }
  return any_of(is_any_large) ? -1 : count;
}

// Board::first_cells[i] is the first cell + the number of parts * parts_unit.
constexpr word parts_unit = 1u << 18;
static_assert(size * size <= static_cast<int>(parts_unit), "cells are bits below");

// Counts the clusters, and the `parts` into which they fall in the next generation if all are steady and do
// not influence each other then; also lists them if asked to. Returns settled, or why it is not known.
static __device__ __forceinline__ SoupStatus count_clusters(const SoupsCall& call, const word* square,
                                                            Board& board, SoupLists& lists, bool is_listing,
                                                            int& count, int& parts, int lane) {
  bool is_unknown = false;
  int mine = 0;
  count = for_each_cluster(square, board, lane, [&](const Patch<patch_rows>& patch, word seed, int counted) {
    const word found = __ballot_sync(all_lanes, patch.is_first);
    if (!patch.is_first) return;
    const SoupCluster* const cluster = patch.is_small ? look_up(call, patch) : nullptr;
    const int place = counted + __popc(found & low_bits(lane));
    if (cluster == nullptr || cluster->kind != steady) {
      is_unknown = true;
    } else {
      mine += cluster->parts;
      if (is_listing && place < max_soup_clusters) {
        lists.clusters[place] = cluster->id;
        board.first_cells[place] = seed | cluster->parts * parts_unit;
      }
    }
  });
  parts = sum_of(mine);
  if (count < 0 || count > max_soup_clusters) return many_clusters;
  return any_of(is_unknown) ? unknown_cluster : settled;
}

// Whether a cell is in a patch, or next to one of its cells.
template <int height>
static __device__ __forceinline__ bool touches(const Patch<height>& patch, word cell) {
  const int column = static_cast<int>(cell % size) - patch.x, row = static_cast<int>(cell / size) - patch.y;
  if (column < -1 || column > cluster_side || row < -1 || row > height) return false;
  const word near = column < 0 ? 1 : (7u << column) >> 1;
  word found = 0;
#pragma unroll
  for (int r = 0; r < height; ++r) found |= r >= row - 1 && r <= row + 1 ? patch.cells[r] & near : 0;
  return found != 0;
}

// A soup of period two of which all clusters have been listed and are steady, and which has the cells of the
// next generation now, in which there are fewer clusters than the listed ones have parts, because some are
// nearer to each other then. Lists such a cluster in place of those that it consists of, if that explains the
// difference. What they are listed by is:
//
// - Clusters do not influence each other in the next generation, so that its cells are those of all of them
//   alone, and so it is back from there. The clusters of both generations are thus in groups: one belongs to
//   those of the other generation that have cells next to it.
// - A cluster of the next generation with several parts stands for those listed ones that have their first
//   cell next to it, if these are as many, and have one part each, which is then in it.
// - If there are as many clusters as those that stand for others and the parts of the rest together, the rest
//   have no part in a cluster of others. All groups then consist of a single cluster in one of the two
//   generations.
static __device__ __noinline__ bool merge_clusters(const SoupsCall& call, const word* square, Board& board,
                                                   SoupLists& lists, int& count, int parts, int lane) {
  int merged = 0, replaced = 0;
  const int listed = count;
  word* const left_out = board.changed;  // bits of those that are listed no longer
  left_out[lane] = 0;
  __syncwarp();
  const int found = for_each_cluster(square, board, lane, [&](const Patch<patch_rows>& patch, word, int) {
    if (!patch.is_first || !patch.is_small) return;
    const SoupCluster* const cluster = look_up(call, patch);
    if (cluster == nullptr || cluster->kind != steady || cluster->parts < 2) return;
    int members = 0, first = 0;
#pragma unroll 1
    for (int i = 0; i < listed; ++i) {
      const word each = board.first_cells[i];
      if (!touches(patch, each % parts_unit)) continue;
      if (members++ == 0) first = i;
      if (each / parts_unit != 1) return;
    }
    if (members != cluster->parts) return;
#pragma unroll 1
    for (int i = first + 1; i < listed; ++i)
      if (touches(patch, board.first_cells[i] % parts_unit)) atomicOr(&left_out[i / 32], 1u << i % 32);
    lists.clusters[first] = cluster->id;
    ++merged;
    replaced += members;
  });
  merged = sum_of(merged);
  replaced = sum_of(replaced);
  if (found != parts - replaced + merged) return false;
  __syncwarp();
  count = 0;
#pragma unroll 1
  for (int first = 0; first < listed; first += 32) {
    const int i = first + lane;
    const bool remains = i < listed && (left_out[first / 32] >> lane & 1) == 0;
    const word id = i < listed ? lists.clusters[i] : 0;
    const word all = __ballot_sync(all_lanes, remains);
    __syncwarp();  // before places are replaced that were read
    if (remains) lists.clusters[count + __popc(all & low_bits(lane))] = id;
    count += __popc(all);
    __syncwarp();
  }
  return true;
}

// A soup with a period of one or two generations: it has settled if its clusters, in one of these, are steady
// and fall into as many in the next one as they do alone. If two of them were nearer then, there would be
// fewer. The first pass lists the clusters of the first generation, the second one counts those of the next
// one. If that is not enough, those that are nearer then are merged, or the third pass lists the clusters of
// the next generation.
static __device__ SoupStatus examine(const SoupsCall& call, Board& board, word* work, SoupLists& lists,
                                     int& generation, int& count, int lane) {
  SoupStatus first = unsettled;
  int first_count = 0, first_parts = 0;
#pragma unroll 1
  for (int pass = 0;; ++pass) {
    int found = 0, parts = 0;
    const SoupStatus status = count_clusters(call, board.square, board, lists, pass != 1, found, parts, lane);
    if (pass == 1) {
      if (first == settled && found == first_parts) return settled;
      if (first == settled && merge_clusters(call, board.square, board, lists, count, first_parts, lane))
        return settled;
      continue;
    }
    count = found;
    if (pass == 2) {
      if (status != settled) return status;
      return parts == first_count ? settled : near_clusters;
    }
    advance_all(board, work, lane);
    ++generation;
    first = status;
    first_count = found;
    first_parts = parts;
  }
}
