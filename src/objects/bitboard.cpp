// SPDX-License-Identifier: MIT
#include "objects/bitboard.h"

namespace moorea {
namespace {

constexpr unsigned quad_rows = 3, quad_columns = 6;

// The neighbourhood of a cell in a row of four, numbered as in Rule::Table: the north west has the highest
// bit.
unsigned neighbourhood(unsigned cells, unsigned at) {
  unsigned number = 0;
  for (unsigned row = 0; row < quad_rows; ++row) {
    for (unsigned column = 0; column < 3; ++column)
      number = number << 1 | (cells >> (quad_columns * row + at + column) & 1);
  }
  return number;
}

}  // namespace

FourCells::FourCells(const Rule& rule) {
  if (rule.is_life_like()) return;
  entries_.resize(std::size_t{1} << quad_rows * quad_columns);
  for (unsigned cells = 0; cells < entries_.size(); ++cells) {
    unsigned next = 0;
    for (unsigned at = 0; at < 4; ++at) next |= unsigned{rule.next(neighbourhood(cells, at))} << at;
    entries_[cells] = static_cast<std::uint8_t>(next);
  }
}

Bitboard FourCells::next_state(const Surroundings& all) const {
  // Ten rows of ten cells: those of the bitboard, and one more on each side
  std::array<unsigned, 10> cells{};
  for (unsigned row = 0; row < 10; ++row) {
    const std::size_t board = row == 0 ? 0 : row == 9 ? 6 : 3;
    const unsigned shift = 8 * ((row + 7) % 8);
    const auto byte = [&](std::size_t which) { return static_cast<unsigned>(all[which] >> shift & 0xFF); };
    cells[row] = byte(board) >> 7 | byte(board + 1) << 1 | (byte(board + 2) & 1) << 9;
  }
  Bitboard next = 0;
  for (unsigned row = 0; row < 8; ++row) {
    for (unsigned half = 0; half < 2; ++half) {
      unsigned number = 0;
      for (unsigned i = 0; i < quad_rows; ++i)
        number |= (cells[row + i] >> 4 * half & 0x3F) << quad_columns * i;
      next |= Bitboard{entries_[number]} << (8 * row + 4 * half);
    }
  }
  return next;
}

}  // namespace moorea
