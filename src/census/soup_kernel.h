// SPDX-License-Identifier: MIT
// One generation of a tile of 64 columns and 8 rows, in bit-sliced arithmetic on vectors of 64-bit rows: one
// vector of eight rows for AVX-512, and several for other machines, because compilers keep larger vectors
// than those of the machine in memory.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "census/soup_board.h"

namespace moorea::soup_kernel {

// With the checks of sanitizers inlined loops take minutes to compile
#ifdef MOOREA_SANITIZED
#define MOOREA_SOUP_INLINE inline
#else
#define MOOREA_SOUP_INLINE inline __attribute__((always_inline))
#endif

/// Eight rows, as one vector.
using Rows = std::uint64_t __attribute__((vector_size(64)));

/// Eight rows in vectors of type V.
template <class V>
struct PartedRows {
  static constexpr int rows_of_part = sizeof(V) / sizeof(std::uint64_t), parts = 8 / rows_of_part;
  V part[parts];

  friend MOOREA_SOUP_INLINE PartedRows operator^(const PartedRows& a, const PartedRows& b) {
    PartedRows rows;
    for (int i = 0; i < parts; ++i) rows.part[i] = a.part[i] ^ b.part[i];
    return rows;
  }
  friend MOOREA_SOUP_INLINE PartedRows operator&(const PartedRows& a, const PartedRows& b) {
    PartedRows rows;
    for (int i = 0; i < parts; ++i) rows.part[i] = a.part[i] & b.part[i];
    return rows;
  }
  friend MOOREA_SOUP_INLINE PartedRows operator|(const PartedRows& a, const PartedRows& b) {
    PartedRows rows;
    for (int i = 0; i < parts; ++i) rows.part[i] = a.part[i] | b.part[i];
    return rows;
  }
  friend MOOREA_SOUP_INLINE PartedRows operator+(const PartedRows& a, const PartedRows& b) {
    PartedRows rows;
    for (int i = 0; i < parts; ++i) rows.part[i] = a.part[i] + b.part[i];
    return rows;
  }
  friend MOOREA_SOUP_INLINE PartedRows operator&(const PartedRows& a, std::uint64_t columns) {
    PartedRows rows;
    for (int i = 0; i < parts; ++i) rows.part[i] = a.part[i] & columns;
    return rows;
  }
  MOOREA_SOUP_INLINE PartedRows operator~() const {
    PartedRows rows;
    for (int i = 0; i < parts; ++i) rows.part[i] = ~part[i];
    return rows;
  }
  MOOREA_SOUP_INLINE PartedRows operator<<(int by) const {
    PartedRows rows;
    for (int i = 0; i < parts; ++i) rows.part[i] = part[i] << by;
    return rows;
  }
  MOOREA_SOUP_INLINE PartedRows operator>>(int by) const {
    PartedRows rows;
    for (int i = 0; i < parts; ++i) rows.part[i] = part[i] >> by;
    return rows;
  }
  MOOREA_SOUP_INLINE void operator|=(const PartedRows& other) { *this = *this | other; }
  MOOREA_SOUP_INLINE void operator^=(const PartedRows& other) { *this = *this ^ other; }
};

MOOREA_SOUP_INLINE void load(Rows& rows, const std::uint64_t* from) { std::memcpy(&rows, from, sizeof rows); }
MOOREA_SOUP_INLINE void store(const Rows& rows, std::uint64_t* to) { std::memcpy(to, &rows, sizeof rows); }
template <class V>
MOOREA_SOUP_INLINE void load(PartedRows<V>& rows, const std::uint64_t* from) {
  for (int i = 0; i < PartedRows<V>::parts; ++i)
    std::memcpy(&rows.part[i], from + i * PartedRows<V>::rows_of_part, sizeof(V));
}
template <class V>
MOOREA_SOUP_INLINE void store(const PartedRows<V>& rows, std::uint64_t* to) {
  for (int i = 0; i < PartedRows<V>::parts; ++i)
    std::memcpy(to + i * PartedRows<V>::rows_of_part, &rows.part[i], sizeof(V));
}

/// Rows of a tile, as bits, in which any cell differs, one in the first columns, and one in the last columns.
struct Change {
  unsigned any = 0, left = 0, right = 0;
};

/// Operations for which machines may have instructions.
template <class R>
struct Logic {
  using Rows = R;

  static MOOREA_SOUP_INLINE void parity(const R& a, const R& b, const R& c, R& to) { to = a ^ b ^ c; }
  static MOOREA_SOUP_INLINE void majority(const R& a, const R& b, const R& c, R& to) {
    to = (a & b) | (c & (a ^ b));
  }
  /// a ^ (b & c)
  static MOOREA_SOUP_INLINE void add_both(const R& a, const R& b, const R& c, R& to) { to = a ^ (b & c); }
  /// The cells whose columns are one less: `left` has those before the first one.
  static MOOREA_SOUP_INLINE void before(const R& row, const R& left, R& to) {
    to = (row + row) | left >> 63;  // x86 has more execution ports for additions than for shifts
  }
  static MOOREA_SOUP_INLINE void after(const R& row, const R& right, R& to) { to = row >> 1 | right << 63; }
  /// The next state in Life: three of nine cells, or four with the cell itself, by the bits of their number.
  static MOOREA_SOUP_INLINE void life(const R& one, const R& two, const R& four, const R& alive, R& to) {
    to = (two ^ four) & ~(one ^ two) & (one | alive);
  }
  /// The next state of the cell in the middle of nine, row by row, by the gates of a rule that does not
  /// count.
  static void cells(const SoupRule& rule, const R* nine, R& to) {
    std::vector<R> signals;
    signals.reserve(CellNetwork::inputs + rule.network->gates.size());
    signals.assign(nine, nine + CellNetwork::inputs);
    for (const CellNetwork::Gate& gate : rule.network->gates) {
      R result = {};
      for (unsigned input = 0; input < 8; ++input) {
        if ((gate.table >> input & 1) == 0) continue;
        const R &a = signals[gate.a], &b = signals[gate.b], &c = signals[gate.c];
        result |= (input & 4 ? a : ~a) & (input & 2 ? b : ~b) & (input & 1 ? c : ~c);
      }
      signals.push_back(result);
    }
    to = signals[rule.network->output];
  }
  static MOOREA_SOUP_INLINE Change change(const R& differs, std::uint64_t left, std::uint64_t right) {
    std::uint64_t rows[8];
    store(differs, rows);
    Change change;
    for (unsigned i = 0; i < 8; ++i) {
      change.any |= static_cast<unsigned>(rows[i] != 0) << i;
      change.left |= static_cast<unsigned>((rows[i] & left) != 0) << i;
      change.right |= static_cast<unsigned>((rows[i] & right) != 0) << i;
    }
    return change;
  }
  static MOOREA_SOUP_INLINE void add_in_columns(const R& differs, std::uint64_t columns, R& to) {
    to |= differs & columns;
  }
};

using TwoRows = std::uint64_t __attribute__((vector_size(16)));

/// Vectors of 128 bits, as SSE2 and NEON have them: for all machines.
struct LogicOfPairs : Logic<PartedRows<TwoRows>> {
  /// The rows above those of a tile: its own but the last one, after the last one of the tile above.
  static MOOREA_SOUP_INLINE void row_above(const Rows& above, const Rows& here, Rows& to) {
    for (int i = 0; i < Rows::parts; ++i)
      to.part[i] = TwoRows{i == 0 ? above.part[Rows::parts - 1][1] : here.part[i - 1][1], here.part[i][0]};
  }
  static MOOREA_SOUP_INLINE void row_below(const Rows& here, const Rows& below, Rows& to) {
    for (int i = 0; i < Rows::parts; ++i)
      to.part[i] = TwoRows{here.part[i][1], i + 1 == Rows::parts ? below.part[0][0] : here.part[i + 1][0]};
  }
};

/// Numbers of live cells among three columns, of which each is the middle one: bits of weight one and two.
template <class R>
struct Columns {
  R one, two;
};

/// Cells of a tile and their counts; `array` words separate a row from the same row of the next strip.
template <class L>
struct Tile {
  using R = typename L::Rows;
  R cells;
  Columns<R> counts;

  MOOREA_SOUP_INLINE void read(const std::uint64_t* row, std::int64_t array) {
    R left, right, before, after;
    load(cells, row);
    load(left, row - array);
    load(right, row + array);
    L::before(cells, left, before);
    L::after(cells, right, after);
    L::parity(before, cells, after, counts.one);
    L::majority(before, cells, after, counts.two);
  }
};

/// As Tile, of a rule that does not count: the cells whose columns are one less, and one more.
template <class L>
struct CellTile {
  using R = typename L::Rows;
  R before, cells, after;

  MOOREA_SOUP_INLINE void read(const std::uint64_t* row, std::int64_t array) {
    R left, right;
    load(cells, row);
    load(left, row - array);
    load(right, row + array);
    L::before(cells, left, before);
    L::after(cells, right, after);
  }
};

/// Which rules a loop is for: Life, life-like ones, and those that do not count.
enum class SoupRules { life, counts, cells };

/// The next state of cells that are alive now, from the counts of the rows above, their own, and below.
template <class L, SoupRules rules, class R = typename L::Rows>
MOOREA_SOUP_INLINE void next_rows(const SoupRule& rule, const R& alive, const Columns<R>& above,
                                  const Columns<R>& here, const Columns<R>& below, R& next) {
  // Live cells of the whole block of nine, 0 to 9
  R one, carry, odd, more, four;
  L::parity(above.one, here.one, below.one, one);
  L::majority(above.one, here.one, below.one, carry);
  L::parity(above.two, here.two, below.two, odd);
  L::majority(above.two, here.two, below.two, more);
  L::add_both(more, odd, carry, four);
  const R two = odd ^ carry;
  if (rules == SoupRules::life) {
    L::life(one, two, four, alive, next);
    return;
  }
  const R eight = more & odd & carry;
  R result = {};
  for (unsigned total = 0; total <= 9; ++total) {
    const bool born = total <= 8 && (rule.birth >> total & 1);
    const bool survives = total >= 1 && (rule.survival >> (total - 1) & 1);
    if (!born && !survives) continue;
    const R equal = (total & 1 ? one : ~one) & (total & 2 ? two : ~two) & (total & 4 ? four : ~four) &
                    (total & 8 ? eight : ~eight);
    if (born) result |= equal & ~alive;
    if (survives) result |= equal & alive;
  }
  next = result;
}

/// The next state of a tile, from those above and below it.
template <class L, SoupRules rules, class R = typename L::Rows>
MOOREA_SOUP_INLINE void next_tile(const SoupRule& rule, const Tile<L>& above, const Tile<L>& here,
                                  const Tile<L>& below, R& next) {
  Columns<R> up, down;
  L::row_above(above.counts.one, here.counts.one, up.one);
  L::row_above(above.counts.two, here.counts.two, up.two);
  L::row_below(here.counts.one, below.counts.one, down.one);
  L::row_below(here.counts.two, below.counts.two, down.two);
  next_rows<L, rules>(rule, here.cells, up, here.counts, down, next);
}

template <class L, SoupRules rules, class R = typename L::Rows>
MOOREA_SOUP_INLINE void next_tile(const SoupRule& rule, const CellTile<L>& above, const CellTile<L>& here,
                                  const CellTile<L>& below, R& next) {
  alignas(64) R nine[9];
  L::row_above(above.before, here.before, nine[0]);
  L::row_above(above.cells, here.cells, nine[1]);
  L::row_above(above.after, here.after, nine[2]);
  nine[3] = here.before;
  nine[4] = here.cells;
  nine[5] = here.after;
  L::row_below(here.before, below.before, nine[6]);
  L::row_below(here.cells, below.cells, nine[7]);
  L::row_below(here.after, below.after, nine[8]);
  L::cells(rule, nine, next);
}

}  // namespace moorea::soup_kernel
