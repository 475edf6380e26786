// SPDX-License-Identifier: MIT
// One generation of a tile of 64 columns and 8 rows, in bit-sliced arithmetic on vectors of eight 64-bit
// rows. The compiler translates the vectors into the instructions that a function is compiled for.
#pragma once

#include <cstdint>
#include <cstring>

#include "census/soup_board.h"

namespace moorea::soup_kernel {

using Rows = std::uint64_t __attribute__((vector_size(64)));

#define MOOREA_SOUP_INLINE inline __attribute__((always_inline))

MOOREA_SOUP_INLINE void load(Rows& rows, const std::uint64_t* from) { std::memcpy(&rows, from, sizeof rows); }

/// Numbers of live cells among three columns, of which each is the middle one: bits of weight one and two.
struct Columns {
  Rows one, two;
};

/// Rows of a tile, as bits, in which any cell differs, one in the first columns, and one in the last columns.
struct Change {
  unsigned any = 0, left = 0, right = 0;
};

/// Operations for which machines may have instructions.
struct Logic {
  static MOOREA_SOUP_INLINE void parity(const Rows& a, const Rows& b, const Rows& c, Rows& to) {
    to = a ^ b ^ c;
  }
  static MOOREA_SOUP_INLINE void majority(const Rows& a, const Rows& b, const Rows& c, Rows& to) {
    to = (a & b) | (c & (a ^ b));
  }
  /// a ^ (b & c)
  static MOOREA_SOUP_INLINE void add_both(const Rows& a, const Rows& b, const Rows& c, Rows& to) {
    to = a ^ (b & c);
  }
  /// The cells whose columns are one less: `left` has those before the first one.
  static MOOREA_SOUP_INLINE void before(const Rows& row, const Rows& left, Rows& to) {
    to = row << 1 | left >> 63;
  }
  static MOOREA_SOUP_INLINE void after(const Rows& row, const Rows& right, Rows& to) {
    to = row >> 1 | right << 63;
  }
  /// The next state in Life: three of nine cells, or four with the cell itself, by the bits of their number.
  static MOOREA_SOUP_INLINE void life(const Rows& one, const Rows& two, const Rows& four, const Rows& alive,
                                      Rows& to) {
    to = (two ^ four) & ((two & one) | (~two & alive & ~one));
  }
  static MOOREA_SOUP_INLINE Change change(const Rows& differs, std::uint64_t left, std::uint64_t right) {
    Change change;
    for (unsigned i = 0; i < 8; ++i) {
      change.any |= static_cast<unsigned>(differs[i] != 0) << i;
      change.left |= static_cast<unsigned>((differs[i] & left) != 0) << i;
      change.right |= static_cast<unsigned>((differs[i] & right) != 0) << i;
    }
    return change;
  }
  static MOOREA_SOUP_INLINE void add_in_columns(const Rows& differs, std::uint64_t columns, Rows& to) {
    to |= differs & columns;
  }
};

/// `array` words separate a row from the same row of the next strip.
template <class L>
MOOREA_SOUP_INLINE void count_columns(const std::uint64_t* row, std::int64_t array, Columns& counts) {
  Rows cells, left, right, before, after;
  load(cells, row);
  load(left, row - array);
  load(right, row + array);
  L::before(cells, left, before);
  L::after(cells, right, after);
  L::parity(before, cells, after, counts.one);
  L::majority(before, cells, after, counts.two);
}

/// The next state of cells that are alive now, from the counts of the rows above, their own, and below.
template <class L, bool is_life>
MOOREA_SOUP_INLINE void next_rows(const SoupRule& rule, const Rows& alive, const Columns (&counts)[3],
                                  Rows& next) {
  // Live cells of the whole block of nine, 0 to 9
  Rows one, carry, odd, more, four;
  L::parity(counts[0].one, counts[1].one, counts[2].one, one);
  L::majority(counts[0].one, counts[1].one, counts[2].one, carry);
  L::parity(counts[0].two, counts[1].two, counts[2].two, odd);
  L::majority(counts[0].two, counts[1].two, counts[2].two, more);
  L::add_both(more, odd, carry, four);
  const Rows two = odd ^ carry;
  if (is_life) {
    L::life(one, two, four, alive, next);
    return;
  }
  const Rows eight = more & odd & carry;
  Rows result = {};
  for (unsigned total = 0; total <= 9; ++total) {
    const bool born = total <= 8 && (rule.birth >> total & 1);
    const bool survives = total >= 1 && (rule.survival >> (total - 1) & 1);
    if (!born && !survives) continue;
    const Rows equal = (total & 1 ? one : ~one) & (total & 2 ? two : ~two) & (total & 4 ? four : ~four) &
                       (total & 8 ? eight : ~eight);
    if (born) result |= equal & ~alive;
    if (survives) result |= equal & alive;
  }
  next = result;
}

/// Computes the tile at `from`, stores it over its state of two generations before, and returns the cells
/// that differ from that.
template <class L, bool is_life>
MOOREA_SOUP_INLINE void step_tile(const SoupRule& rule, const std::uint64_t* from, std::uint64_t* to,
                                  std::int64_t array, Rows& differs) {
  Columns counts[3];
  for (int i = 0; i < 3; ++i) count_columns<L>(from + i - 1, array, counts[i]);
  Rows alive, next, old;
  load(alive, from);
  next_rows<L, is_life>(rule, alive, counts, next);
  load(old, to);
  std::memcpy(to, &next, sizeof next);
  differs = next ^ old;
}

}  // namespace moorea::soup_kernel
