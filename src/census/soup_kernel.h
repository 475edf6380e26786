// SPDX-License-Identifier: MIT
// One generation of a tile of 128 columns and 8 rows, in bit-sliced arithmetic on vectors of eight 64-bit
// rows. The compiler translates the vectors into the instructions that a function is compiled for.
#pragma once

#include <cstdint>
#include <cstring>

#include "census/soup_board.h"

namespace moorea::soup_kernel {

using Rows = std::uint64_t __attribute__((vector_size(64)));

#define MOOREA_SOUP_INLINE inline __attribute__((always_inline))

MOOREA_SOUP_INLINE void load(Rows& rows, const std::uint64_t* from) { std::memcpy(&rows, from, sizeof rows); }

/// Cells of a tile: those of even and those of odd columns.
struct Pair {
  Rows even, odd;
};

/// Functions of three operands, of which a machine may have instructions.
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
  static MOOREA_SOUP_INLINE void before(const Rows& odd, const Rows& left, Rows& to) {
    to = odd << 1 | left >> 63;
  }
  static MOOREA_SOUP_INLINE void after(const Rows& even, const Rows& right, Rows& to) {
    to = even >> 1 | right << 63;
  }
  /// The next state in Life: three of nine cells, or four with the cell itself, by the bits of their number.
  static MOOREA_SOUP_INLINE void life(const Rows& one, const Rows& two, const Rows& four, const Rows& alive,
                                      Rows& to) {
    to = (two ^ four) & ((two & one) | (~two & alive & ~one));
  }
};

/// Number of live cells among three columns, of which each is the middle one: bits of weight one and two.
template <class L, bool is_alone>
MOOREA_SOUP_INLINE void count_columns(const std::uint64_t* row, std::int64_t array, Pair& one, Pair& two) {
  Rows even, odd, before, after;
  load(even, row);
  load(odd, row + array);
  if (is_alone) {
    before = odd << 1;
    after = even >> 1;
  } else {
    Rows left, right;
    load(left, row - array);       // odd columns of the strip on the left
    load(right, row + 2 * array);  // even ones of that on the right
    L::before(odd, left, before);
    L::after(even, right, after);
  }
  L::parity(before, even, odd, one.even);
  L::majority(before, even, odd, two.even);
  L::parity(after, even, odd, one.odd);
  L::majority(after, even, odd, two.odd);
}

/// The next state of cells that are alive now, from the sums of the rows above, their own, and below.
template <class L, bool is_life>
MOOREA_SOUP_INLINE void next_rows(const SoupRule& rule, const Rows& alive, const Rows (&ones)[3],
                                  const Rows (&twos)[3], Rows& next) {
  // Live cells of the whole block of nine, 0 to 9
  Rows one, carry, odd, more, four;
  L::parity(ones[0], ones[1], ones[2], one);
  L::majority(ones[0], ones[1], ones[2], carry);
  L::parity(twos[0], twos[1], twos[2], odd);
  L::majority(twos[0], twos[1], twos[2], more);
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

/// The next state of the tile whose even columns begin at `row`, and odd ones `array` words later. `is_alone`
/// if no strip is on either side.
template <class L, bool is_life, bool is_alone>
MOOREA_SOUP_INLINE void next_tile(const SoupRule& rule, const std::uint64_t* row, std::int64_t array,
                                  Pair& next) {
  Pair above_1, above_2, middle_1, middle_2, below_1, below_2, alive;
  count_columns<L, is_alone>(row - 1, array, above_1, above_2);
  count_columns<L, is_alone>(row, array, middle_1, middle_2);
  count_columns<L, is_alone>(row + 1, array, below_1, below_2);
  load(alive.even, row);
  load(alive.odd, row + array);
  next_rows<L, is_life>(rule, alive.even, {above_1.even, middle_1.even, below_1.even},
                        {above_2.even, middle_2.even, below_2.even}, next.even);
  next_rows<L, is_life>(rule, alive.odd, {above_1.odd, middle_1.odd, below_1.odd},
                        {above_2.odd, middle_2.odd, below_2.odd}, next.odd);
}

/// Rows of a tile, as bits, that differ from those two generations before: in any column, in the first and in
/// the last one of the strip, and in those of a mask for even and odd ones.
struct Change {
  unsigned any = 0, left = 0, right = 0, in_columns = 0;
};

/// Computes a tile, stores it over its state of two generations before, and compares both. If it is not
/// alone, adds the live cells that it has more to those of each row.
template <bool is_life, bool is_alone>
MOOREA_SOUP_INLINE Change step_tile(const SoupRule& rule, const std::uint64_t* from, std::uint64_t* to,
                                    std::int64_t array, std::uint64_t columns, Rows& born) {
  Pair next, before;
  next_tile<Logic, is_life, is_alone>(rule, from, array, next);
  load(before.even, to);
  load(before.odd, to + array);
  std::memcpy(to, &next.even, sizeof next.even);
  std::memcpy(to + array, &next.odd, sizeof next.odd);
  const Pair difference = {next.even ^ before.even, next.odd ^ before.odd};
  const Rows differs = difference.even | difference.odd;
  Change change;
  for (unsigned i = 0; i < 8; ++i) {
    change.any |= static_cast<unsigned>(differs[i] != 0) << i;
    change.in_columns |= static_cast<unsigned>((differs[i] & columns) != 0) << i;
  }
  if (is_alone) return change;
  for (unsigned i = 0; i < 8; ++i) {
    change.left |= static_cast<unsigned>(difference.even[i] & 1) << i;
    change.right |= static_cast<unsigned>(difference.odd[i] >> 63) << i;
    born[i] += static_cast<std::uint64_t>(
        __builtin_popcountll(next.even[i]) + __builtin_popcountll(next.odd[i]) -
        __builtin_popcountll(before.even[i]) - __builtin_popcountll(before.odd[i]));
  }
  return change;
}

}  // namespace moorea::soup_kernel
