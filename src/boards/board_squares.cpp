// SPDX-License-Identifier: MIT
#include "boards/board_squares.h"

#include <algorithm>
#include <unordered_map>

#include "model/bits.h"

namespace moorea {
namespace {

constexpr std::int64_t side = CellSquare::side;

std::int64_t round_down(std::int64_t x) { return x & ~(side - 1); }

struct PositionHash {
  std::size_t operator()(const Position& at) const {
    const auto mixed = static_cast<std::uint64_t>(at.x) * 0x9E3779B97F4A7C15 ^
                       static_cast<std::uint64_t>(at.y) * 0xD6E8FEB86659FD93;
    return static_cast<std::size_t>(mixed ^ mixed >> 29);
  }
};

// Adds rectangles to the squares that they share cells with.
class SquareCollector {
 public:
  // `cells` has rows of one row of squares only.
  void add(const Grid& cells, Position at) {
    const std::int64_t top = round_down(at.y);
    for (std::int64_t left = round_down(at.x); left < at.x + cells.width(); left += side) {
      CellSquare* square = nullptr;
      for (std::int64_t y = 0; y < cells.height(); ++y) {
        const std::uint64_t word = cells_at(cells.row(y), cells.words_per_row(), left - at.x);
        if (word == 0) continue;
        if (square == nullptr) square = &square_at({left, top});
        square->rows[static_cast<std::size_t>(at.y + y - top)] |= word;
      }
    }
  }

  CellSquares take() { return std::move(squares_); }

 private:
  CellSquare& square_at(Position corner) {
    const auto [found, is_new] = places_.try_emplace(corner, squares_.size());
    if (is_new) squares_.push_back({corner, {}});
    return squares_[found->second];
  }

  CellSquares squares_;
  std::unordered_map<Position, std::size_t, PositionHash> places_;
};

}  // namespace

CellSquares squares_of(const Board& board) {
  SquareCollector collector;
  for (const Box& box : board.live_boxes(board.box())) {
    for (std::int64_t top = box.y; top < box.bottom();) {
      const std::int64_t end = std::min(round_down(top) + side, box.bottom());
      const Box band = {box.x, top, box.width, end - top};
      collector.add(board.window(band), band.position());
      top = end;
    }
  }
  return collector.take();
}

double squares_to_read(const Board& board) {
  double squares = 0;
  for (const Box& box : board.live_boxes(board.box()))
    squares += std::max(box.area() / static_cast<double>(side * side), 1.0);
  return squares;
}

}  // namespace moorea
