// SPDX-License-Identifier: MIT
#include "census/clusters.h"

#include <bit>

namespace moorea {

std::span<const ClusterCells> ClusterSearch::find(const SoupBoard& board) {
  left_.resize(static_cast<std::size_t>(board.rows() * board.rows() / SoupBoard::strip_columns));
  cells_.clear();
  ends_.clear();
  board.for_each_row([&](const Position& at, std::uint64_t row) { left_[board.word_of(at)] = row; });
  board.for_each_row([&](const Position& at, std::uint64_t) {
    const std::uint64_t& row = left_[board.word_of(at)];
    while (row != 0) flood(board, {at.x + std::countr_zero(row), at.y});
  });
  clusters_.clear();
  std::size_t first = 0;
  for (const std::size_t end : ends_) {
    const std::span cells = std::span(cells_).subspan(first, end - first);
    clusters_.push_back({cells, bounds_of_unsorted(cells)});
    first = end;
  }
  return clusters_;
}

// Moves the seed's cluster from the board to the list, whose end is the queue of cells to look around.
void ClusterSearch::flood(const SoupBoard& board, const Position& seed) {
  constexpr std::int64_t reach = 2;
  constexpr std::uint64_t window = 0x1F;
  const auto strip = static_cast<std::size_t>(board.rows());
  std::size_t next = cells_.size();
  cells_.push_back(seed);
  left_[board.word_of(seed)] &= ~(std::uint64_t{1} << board.bit_of_column(seed.x));
  for (; next < cells_.size(); ++next) {
    const Position at = cells_[next];
    const std::int64_t x = at.x - reach;
    const unsigned bit = board.bit_of_column(x);
    const std::size_t first = board.word_of({x, at.y - reach});
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
