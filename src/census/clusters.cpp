// SPDX-License-Identifier: MIT
#include "census/clusters.h"

#include <bit>
#include <cstdlib>

namespace moorea {
namespace {

constexpr std::int64_t cluster_reach = 2;  // columns and rows to other cells of a cluster
constexpr std::uint64_t max_piece = (std::uint64_t{1} << 60) - 1;

}  // namespace

void ClusterSearch::begin(const StripPlane& plane) {
  if (left_.size() < plane.words()) left_.resize(plane.words());
  cells_.clear();
  ends_.clear();
}

std::span<const ClusterCells> ClusterSearch::finish() {
  clusters_.clear();
  std::size_t first = 0;
  for (const std::size_t end : ends_) {
    const std::span cells = std::span(cells_).subspan(first, end - first);
    clusters_.push_back({cells, bounds_of_unsorted(cells)});
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
  rows_.clear();
  board.for_each_row(tiles, [&](const Position& at, std::uint64_t row) {
    rows_.push_back({at, plane.word_of(at)});
    left_[rows_.back().word] = row;
  });
  return plane;
}

std::span<const ClusterCells> ClusterSearch::find(const SoupBoard& board) {
  const StripPlane plane = begin(board, board.touched());
  for (const Row& row : rows_) {
    const std::uint64_t& left = left_[row.word];
    while (left != 0) flood(plane, {row.at.x + std::countr_zero(left), row.at.y});
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
  for (const Row& row : rows_) {
    const bool is_beside = row.at.y >= inner.y && row.at.y < inner.bottom();
    const std::uint64_t outside =
        is_beside ? columns_before(inner.x - row.at.x) | ~columns_before(inner.right() - row.at.x) : all;
    const std::uint64_t& left = left_[row.word];
    while (goes_on && (left & outside) != 0)
      goes_on = flood(plane, {row.at.x + std::countr_zero(left & outside), row.at.y}, max_side);
  }
  for (const Row& row : rows_) left_[row.word] = 0;
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

// Moves the seed's cluster from the plane to the list. A queue has pieces of rows: up to 60 adjacent columns
// and those of their cells that have been found at once. Returns false, and leaves the rest in the plane,
// when cells are found that are max_side columns or rows from the seed.
bool ClusterSearch::flood(const StripPlane& plane, const Position& seed, std::int64_t max_side) {
  const auto strip = static_cast<std::size_t>(plane.rows);
  const auto found = [&](std::int64_t x, std::int64_t y, std::uint64_t cells) {
    pieces_.push_back({{x, y}, cells});
    for (; cells != 0; cells &= cells - 1) cells_.push_back({x + std::countr_zero(cells), y});
  };
  pieces_.clear();
  left_[plane.word_of(seed)] &= ~plane.bit_of(seed);
  found(seed.x, seed.y, 1);
  bool fits = true;
  for (std::size_t next = 0; fits && next < pieces_.size(); ++next) {
    const auto [at, cells] = pieces_[next];
    fits = std::abs(at.x - seed.x) < max_side && std::abs(at.y - seed.y) < max_side;
    // The cells and two more columns on each side
    const std::uint64_t window = cells | cells << 1 | cells << 2 | cells << 3 | cells << 4;
    const std::int64_t x = at.x - cluster_reach;
    const unsigned bit = plane.bit_of_column(x);
    const std::size_t first = plane.word_of({x, at.y - cluster_reach});
    const std::uint64_t low = window << bit, high = bit > 0 ? window >> (64 - bit) : 0;
    for (std::size_t row = 0; row <= 2 * cluster_reach; ++row) {
      std::uint64_t* const word = &left_[first + row];
      std::uint64_t near = (word[0] & low) >> bit;
      word[0] &= ~low;
      if (high != 0) {
        near |= (word[strip] & high) << (64 - bit);
        word[strip] &= ~high;
      }
      if (near == 0) continue;
      // A piece has to leave room for the columns at its sides
      const auto skipped = static_cast<unsigned>(std::countr_zero(near));
      const std::uint64_t piece = near >> skipped & max_piece, rest = (near >> skipped & ~max_piece)
                                                                      << skipped;
      const std::int64_t y = at.y - cluster_reach + static_cast<std::int64_t>(row);
      found(x + skipped, y, piece);
      if (rest != 0) found(x + std::countr_zero(rest), y, rest >> std::countr_zero(rest));
    }
  }
  ends_.push_back(cells_.size());
  return fits;
}

}  // namespace moorea
