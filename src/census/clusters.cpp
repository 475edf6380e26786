// SPDX-License-Identifier: MIT
#include "census/clusters.h"

#include <bit>
#include <cstdlib>
#include <cstring>

namespace moorea {
namespace {

constexpr std::int64_t cluster_reach = 2;  // columns and rows to other cells of a cluster
constexpr std::uint64_t max_piece = (std::uint64_t{1} << 60) - 1;
// Columns of a strip from which no cell of another one is so near
constexpr std::uint64_t inner_columns = ~std::uint64_t{0} << 2 * cluster_reach >> cluster_reach;

// Cells of 64 columns, from top to bottom. A cluster in the first six is found in one vector.
constexpr std::int64_t max_small_rows = 6;
using EightRows = std::uint64_t __attribute__((vector_size(64)));

// Cells within two columns and rows of these.
void spread(const EightRows& cells, EightRows& to) {
  static_assert(cluster_reach == 2);
  EightRows all = cells;
  for (int i = 0; i < 2; ++i) all |= all << 1 | all >> 1;
  for (int i = 0; i < 2; ++i)
    all |= EightRows{0, all[0], all[1], all[2], all[3], all[4], all[5], all[6]} |
           EightRows{all[1], all[2], all[3], all[4], all[5], all[6], all[7], 0};
  to = all;
}

}  // namespace

void ClusterSearch::begin(const StripPlane& plane) {
  if (left_.size() < plane.words()) left_.resize(plane.words());
  cell_count_ = 0;
  found_.clear();
}

// Makes room for so many cells and those of one more piece of a row; there are at most as many pieces.
void ClusterSearch::grow(std::size_t count) {
  cells_.resize(2 * (count + 64));
  pieces_.resize(cells_.size());
}

std::span<const ClusterCells> ClusterSearch::finish() {
  clusters_.clear();
  std::size_t first = 0;
  for (const auto& [end, box] : found_) {
    clusters_.push_back({std::span(cells_).subspan(first, end - first), box});
    first = end;
  }
  return clusters_;
}

// With what lies around the square, in the same strips of 64 columns.
StripPlane ClusterSearch::begin(const SoupBoard& board, const SoupTiles& tiles) {
  const Box box = board.box();
  constexpr std::int64_t strip = StripPlane::strip_columns;
  const StripPlane plane = StripPlane::around(
      {box.x - strip, box.y - cluster_reach, box.width + 2 * strip, box.height + 2 * cluster_reach});
  begin(plane);
  std::size_t count = 0;
  board.for_each_tile(tiles, [&](const Position& at, const std::uint64_t* cells) {
    constexpr auto rows = static_cast<std::size_t>(SoupSquare::tile_rows);
    if (rows_.size() < count + rows) rows_.resize(2 * (count + rows));
    const std::size_t word = plane.word_of(at);
    for (std::size_t y = 0; y < rows; ++y) {
      left_[word + y] = cells[y];
      rows_[count] = {at + Position{0, static_cast<std::int64_t>(y)}, word + y};
      count += cells[y] != 0 ? 1 : 0;
    }
  });
  row_count_ = count;
  return plane;
}

std::span<const ClusterCells> ClusterSearch::find(const SoupBoard& board) {
  const StripPlane plane = begin(board, board.touched());
  for (const Row& row : rows()) {
    const std::uint64_t& left = left_[row.word];
    while (left != 0) {
      if (!take_small(row)) flood(plane, {row.at.x + std::countr_zero(left), row.at.y});
    }
  }
  return finish();
}

std::span<const ClusterCells> ClusterSearch::find_outside(const SoupBoard& board, std::int64_t max_side) {
  board.find_near_outside(tiles_);
  const StripPlane plane = begin(board, tiles_);
  const Box& inner = board.inner();
  constexpr std::uint64_t all = ~std::uint64_t{0};
  const auto columns_before = [](std::int64_t x) {
    return x <= 0 ? 0 : x >= StripPlane::strip_columns ? all : (std::uint64_t{1} << x) - 1;
  };
  bool goes_on = true;
  for (const Row& row : rows()) {
    const bool is_beside = row.at.y >= inner.y && row.at.y < inner.bottom();
    const std::uint64_t outside =
        is_beside ? columns_before(inner.x - row.at.x) | ~columns_before(inner.right() - row.at.x) : all;
    const std::uint64_t& left = left_[row.word];
    while (goes_on && (left & outside) != 0)
      goes_on = flood(plane, {row.at.x + std::countr_zero(left & outside), row.at.y}, max_side);
  }
  for (const Row& row : rows()) left_[row.word] = 0;
  return finish();
}

std::span<const ClusterCells> ClusterSearch::find(std::span<const Position> cells, const Box& area) {
  const StripPlane plane = StripPlane::around(area.expanded(cluster_reach));
  begin(plane);
  for (const Position& cell : cells) left_[plane.word_of(cell)] |= plane.bit_of(cell);
  for (const Position& cell : cells) {
    if ((left_[plane.word_of(cell)] & plane.bit_of(cell)) != 0) flood(plane, cell);
  }
  return finish();
}

// Moves the cluster of a row's first cell from the plane to the list if it has a few rows and is far from
// other strips, where no cells are left above that row.
bool ClusterSearch::take_small(const Row& row) {
  std::uint64_t* const left = &left_[row.word];
  EightRows all, cells, near;
  std::memcpy(&all, left, sizeof all);
  cells = EightRows{all[0] & -all[0]};
  for (bool grows = true; grows; cells = near) {
    spread(cells, near);
    near &= all;
    const EightRows added = near ^ cells;
    grows = (added[0] | added[1] | added[2] | added[3] | added[4] | added[5] | added[6] | added[7]) != 0;
  }
  const std::uint64_t columns = cells[0] | cells[1] | cells[2] | cells[3] | cells[4] | cells[5],
                      below = cells[6] | cells[7];  // from where more rows are near
  if (below != 0 || (columns & ~inner_columns) != 0) return false;
  all ^= cells;
  std::memcpy(left, &all, sizeof all);
  const int first = std::countr_zero(columns), width = 64 - std::countl_zero(columns) - first;
  std::size_t count = cell_count_;
  std::int64_t height = 0;
  for (std::int64_t y = 0; y < max_small_rows; ++y) {
    if (cells[y] == 0) continue;
    height = y + 1;
    if (cells_.size() < count + 64) grow(count);
    for (std::uint64_t rest = cells[y]; rest != 0; rest &= rest - 1)
      cells_[count++] = row.at + Position{std::countr_zero(rest), y};
  }
  cell_count_ = count;
  found_.push_back({count, {row.at.x + first, row.at.y, width, height}});
  return true;
}

// Moves the seed's cluster from the plane to the list. A queue has pieces of rows. Returns false, and leaves
// the rest in the plane, when cells are found that are max_side columns or rows from the seed.
bool ClusterSearch::flood(const StripPlane& plane, const Position& seed, std::int64_t max_side) {
  const auto strip = static_cast<std::size_t>(plane.rows);
  std::uint64_t* const left = left_.data();
  const Position corner = plane.corner, from = seed - corner;
  const std::size_t begin = cell_count_;
  std::size_t count = begin, end = 0;
  if (cells_.size() < count + 64) grow(count);
  left[plane.word_of(seed)] &= ~plane.bit_of(seed);
  cells_[count++] = seed;
  pieces_[end++] = {from.x, from.y, 1};
  bool fits = true;
  for (std::size_t next = 0; fits && next < end; ++next) {
    const auto [at_x, at_y, cells] = pieces_[next];
    fits = std::abs(at_x - from.x) < max_side && std::abs(at_y - from.y) < max_side;
    // The cells and two more columns on each side
    const std::uint64_t window = cells | cells << 1 | cells << 2 | cells << 3 | cells << 4;
    const std::int64_t x = at_x - cluster_reach, y = at_y - cluster_reach;
    const auto column = static_cast<std::uint64_t>(x);
    const std::uint64_t bit = column % 64, low = window << bit, high = bit > 0 ? window >> (64 - bit) : 0;
    std::uint64_t* const first = left + column / 64 * strip + y;
#pragma GCC unroll 1
    for (std::int64_t row = 0; row <= 2 * cluster_reach; ++row) {
      std::uint64_t near = (first[row] & low) >> bit;
      first[row] &= ~low;
      if (high != 0) {
        std::uint64_t* const word = first + strip + row;
        near |= (*word & high) << (64 - bit);
        *word &= ~high;
      }
      while (near != 0) {
        // A piece has to leave room for the columns at its sides
        const int before = std::countr_zero(near);
        std::uint64_t piece = near >> before & max_piece;
        near = (near >> before & ~max_piece) << before;
        if (cells_.size() < count + 64) grow(count);
        pieces_[end++] = {x + before, y + row, piece};
        for (; piece != 0; piece &= piece - 1)
          cells_[count++] = corner + Position{x + before + std::countr_zero(piece), y + row};
      }
    }
  }
  cell_count_ = count;
  found_.push_back({count, bounds_of_unsorted(std::span(cells_).subspan(begin, count - begin))});
  return fits;
}

}  // namespace moorea
