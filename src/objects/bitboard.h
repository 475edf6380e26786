// SPDX-License-Identifier: MIT
// 8 x 8 cells in a word, and the word one generation later.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "moorea/rule.h"

namespace moorea {

/// Row r and column c in bit 8 r + c.
using Bitboard = std::uint64_t;

namespace bitboards {
constexpr Bitboard left = 0x0101010101010101, right = left << 7;  // columns
constexpr Bitboard top = 0xFF, bottom = top << 56;                // rows
/// Cells of the nine bitboards around and including one, row by row, that are neighbours of its cells.
constexpr std::array<Bitboard, 9> seen = {bottom & right, bottom,     bottom& left, right,    ~Bitboard{0},
                                          left,           top& right, top,          top& left};
}  // namespace bitboards

/// A bitboard, entry 4, and those around it, row by row.
using Surroundings = std::array<Bitboard, 9>;

/// Numbers of live neighbours, 0 to 8, in binary.
struct NeighbourCounts {
  Bitboard ones = 0, twos = 0, fours = 0, eights = 0;
  Bitboard any() const { return ones | twos | fours | eights; }
};

inline NeighbourCounts count_neighbours(const Surroundings& all) {
  // Sums of three columns, for a row of bitboards
  struct Sum {
    Bitboard ones, twos;
  };
  const auto to_right = [&](std::size_t row) {
    return (all[row + 1] & ~bitboards::right) << 1 | (all[row] & bitboards::right) >> 7;
  };
  const auto to_left = [&](std::size_t row) {
    return (all[row + 1] & ~bitboards::left) >> 1 | (all[row + 2] & bitboards::left) << 7;
  };
  const auto sum = [&](std::size_t row) {
    const Bitboard a = to_right(row), b = all[row + 1], c = to_left(row);
    const Bitboard half = a ^ c;
    return Sum{half ^ b, (a & c) | (half & b)};
  };
  const Sum above = sum(0), here = sum(3), below = sum(6);
  const Bitboard west = to_right(3), east = to_left(3);
  const Sum up = {here.ones << 8 | above.ones >> 56, here.twos << 8 | above.twos >> 56};
  const Sum down = {here.ones >> 8 | below.ones << 56, here.twos >> 8 | below.twos << 56};
  const Sum beside = {west ^ east, west & east};
  const Bitboard half = up.ones ^ down.ones;
  const Bitboard carry = (up.ones & down.ones) | (half & beside.ones);
  const Bitboard a = up.twos ^ down.twos, b = beside.twos ^ carry;
  const Bitboard both_a = up.twos & down.twos, both_b = beside.twos & carry, ab = a & b;
  return {half ^ beside.ones, a ^ b, both_a ^ both_b ^ ab, both_a & both_b};
}

/// The next states of four cells of a row under rules that do not count, by the 3 x 6 cells around and
/// including them: bit 6 r + c of the number of an entry is row r and column c.
class FourCells {
 public:
  /// Empty for life-like rules.
  explicit FourCells(const Rule& rule);
  bool empty() const { return entries_.empty(); }
  Bitboard next_state(const Surroundings& all) const;

 private:
  std::vector<std::uint8_t> entries_;
};

inline Bitboard next_state(const Rule& rule, Bitboard cells, const NeighbourCounts& counts) {
  Bitboard next = 0;
  for (unsigned left = rule.birth() | rule.survival(); left != 0; left &= left - 1) {
    const auto n = static_cast<unsigned>(__builtin_ctz(left));
    const Bitboard equal = (n & 1 ? counts.ones : ~counts.ones) & (n & 2 ? counts.twos : ~counts.twos) &
                           (n & 4 ? counts.fours : ~counts.fours) & (n & 8 ? counts.eights : ~counts.eights);
    next |= equal & ((rule.birth() >> n & 1 ? ~cells : 0) | (rule.survival() >> n & 1 ? cells : 0));
  }
  return next;
}

}  // namespace moorea
