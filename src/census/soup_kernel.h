// SPDX-License-Identifier: MIT
// One generation of a tile of 64 columns and 8 rows, in bit-sliced arithmetic on vectors of eight 64-bit
// rows. The compiler translates the vectors into the instructions that a function is compiled for.
#pragma once

#include <cstdint>
#include <cstring>

#include "census/soup_board.h"

namespace moorea::soup_kernel {

using Rows = std::uint64_t __attribute__((vector_size(64)));
/// Rows of a tile that differ from those two generations before.
struct Change {
  std::uint64_t any = 0;              ///< of all rows
  std::uint64_t first = 0, last = 0;  ///< of the first and last one
  std::int64_t population = 0;        ///< cells more than before
};

#define MOOREA_SOUP_INLINE inline __attribute__((always_inline))

MOOREA_SOUP_INLINE void load(Rows& rows, const std::uint64_t* from) { std::memcpy(&rows, from, sizeof rows); }

/// Number of live cells among three columns: bits of weight one and two.
MOOREA_SOUP_INLINE void count_columns(const std::uint64_t* row, std::int64_t strip, Rows& one, Rows& two) {
  Rows left, centre, right;
  load(left, row - strip);
  load(centre, row);
  load(right, row + strip);
  const Rows before = centre << 1 | left >> 63, after = centre >> 1 | right << 63;
  one = before ^ centre ^ after;
  two = (before & centre) | (after & (before | centre));
}

/// The next state of the tile that begins at `row`; `strip` words between columns of tiles.
template <bool is_life>
MOOREA_SOUP_INLINE void next_rows(const SoupRule& rule, const std::uint64_t* row, std::int64_t strip,
                                  Rows& next) {
  Rows above_1, above_2, middle_1, middle_2, below_1, below_2, alive;
  count_columns(row - 1, strip, above_1, above_2);
  count_columns(row, strip, middle_1, middle_2);
  count_columns(row + 1, strip, below_1, below_2);
  load(alive, row);
  // Live cells of the whole block of nine, 0 to 9
  const Rows one = above_1 ^ middle_1 ^ below_1;
  const Rows carry = (above_1 & middle_1) | (below_1 & (above_1 | middle_1));
  const Rows odd = above_2 ^ middle_2 ^ below_2;
  const Rows more = (above_2 & middle_2) | (below_2 & (above_2 | middle_2));
  const Rows two = odd ^ carry, carry_2 = odd & carry;
  const Rows four = more ^ carry_2, eight = more & carry_2;
  if (is_life) {
    // Three of nine, or four with the cell itself
    next = ~eight & ((one & two & ~four) | (alive & ~one & ~two & four));
    return;
  }
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

/// Computes a tile, stores it over its state of two generations before, and compares both.
template <bool is_life>
MOOREA_SOUP_INLINE Change step_tile(const SoupRule& rule, const std::uint64_t* from, std::uint64_t* to,
                                    std::int64_t strip) {
  Rows next, before;
  next_rows<is_life>(rule, from, strip, next);
  load(before, to);
  const Rows difference = next ^ before;
  Change change;
  std::uint64_t rows[8], now[8], old[8];
  std::memcpy(rows, &difference, sizeof rows);
  for (int i = 0; i < 8; ++i) change.any |= rows[i];
  if (change.any == 0) return change;
  change.first = rows[0];
  change.last = rows[7];
  std::memcpy(to, &next, sizeof next);
  std::memcpy(now, &next, sizeof now);
  std::memcpy(old, &before, sizeof old);
  for (int i = 0; i < 8; ++i)
    change.population += __builtin_popcountll(now[i]) - __builtin_popcountll(old[i]);
  return change;
}

}  // namespace moorea::soup_kernel
