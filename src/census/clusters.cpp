// SPDX-License-Identifier: MIT
#include "census/clusters.h"

#include <bit>

namespace moorea {
namespace {

constexpr std::int64_t reach = 2;  // columns and rows to other cells of a cluster

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

std::span<const ClusterCells> ClusterSearch::find(const SoupBoard& board) {
  const StripPlane& plane = board.plane();
  begin(plane);
  board.for_each_row([&](const Position& at, std::uint64_t row) { left_[plane.word_of(at)] = row; });
  board.for_each_row([&](const Position& at, std::uint64_t) {
    const std::uint64_t& row = left_[plane.word_of(at)];
    while (row != 0) flood(plane, {at.x + std::countr_zero(row), at.y});
  });
  return finish();
}

std::span<const ClusterCells> ClusterSearch::find(std::span<const Position> cells, const Box& area) {
  const StripPlane plane = StripPlane::around(area.expanded(reach));
  begin(plane);
  for (const Position& cell : cells) left_[plane.word_of(cell)] |= plane.bit_of(cell);
  for (const Position& cell : cells) {
    if ((left_[plane.word_of(cell)] & plane.bit_of(cell)) != 0) flood(plane, cell);
  }
  return finish();
}

// Moves the seed's cluster from the board to the list, whose end is the queue of cells to look around.
void ClusterSearch::flood(const StripPlane& plane, const Position& seed) {
  constexpr std::uint64_t window = 0x1F;
  const auto strip = static_cast<std::size_t>(plane.rows);
  std::size_t next = cells_.size();
  cells_.push_back(seed);
  left_[plane.word_of(seed)] &= ~plane.bit_of(seed);
  for (; next < cells_.size(); ++next) {
    const Position at = cells_[next];
    const std::int64_t x = at.x - reach;
    const unsigned bit = plane.bit_of_column(x);
    const std::size_t first = plane.word_of({x, at.y - reach});
    for (std::size_t row = 0; row <= 2 * reach; ++row) {
      std::uint64_t* const word = &left_[first + row];
      std::uint64_t found = word[0] >> bit & window;
      word[0] &= ~(window << bit);
      if (bit > 59) {
        found |= word[strip] << (64 - bit) & window;
        word[strip] &= ~(window >> (64 - bit));
      }
      for (; found != 0; found &= found - 1)
        cells_.push_back({x + std::countr_zero(found), at.y - reach + static_cast<std::int64_t>(row)});
    }
  }
  ends_.push_back(cells_.size());
}

}  // namespace moorea
