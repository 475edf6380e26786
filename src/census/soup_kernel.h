// SPDX-License-Identifier: MIT
// One generation of a tile of 64 columns and 8 rows, in bit-sliced arithmetic on vectors of 64-bit rows: one
// vector of eight rows for AVX-512, and one after the other for other machines.
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

/// Rows in a vector of the type, of which a tile is one or several.
template <class R>
constexpr int rows_of = sizeof(R) / sizeof(std::uint64_t);

template <class R>
MOOREA_SOUP_INLINE void load(R& rows, const std::uint64_t* from) {
  std::memcpy(&rows, from, sizeof rows);
}
template <class R>
MOOREA_SOUP_INLINE void store(const R& rows, std::uint64_t* to) {
  std::memcpy(to, &rows, sizeof rows);
}

/// A vector where StepNine expects it.
template <class R>
struct alignas(64) Apart {
  R rows;
};

/// Rows of a vector or a tile, as bits, in which any cell differs, one in the first columns, and one in the
/// last columns.
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
  static void cells(const SoupRule& rule, const Apart<R>* nine, R& to) {
    std::vector<R> signals;
    signals.reserve(CellNetwork::inputs + rule.network->gates.size());
    for (unsigned i = 0; i < CellNetwork::inputs; ++i) signals.push_back(nine[i].rows);
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
    std::uint64_t rows[rows_of<R>];
    store(differs, rows);
    Change change;
    for (unsigned i = 0; i < rows_of<R>; ++i) {
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
struct LogicOfPairs : Logic<TwoRows> {
  /// The rows above those of a vector: its own but the last one, after the last one of the vector above.
  static MOOREA_SOUP_INLINE void row_above(const Rows& above, const Rows& here, Rows& to) {
    to = TwoRows{above[1], here[0]};
  }
  static MOOREA_SOUP_INLINE void row_below(const Rows& here, const Rows& below, Rows& to) {
    to = TwoRows{here[1], below[0]};
  }
};

/// Numbers of live cells among three columns, or three rows, of which each is the middle one: bits of weight
/// one and two.
template <class R>
struct Columns {
  R one, two;
};

/// Cells of a vector and their counts; `array` words separate a row from the same row of the next strip.
template <class L>
struct CountedRows {
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

/// As CountedRows, of a rule that does not count: the cells whose columns are one less, and one more.
template <class L>
struct NeighbourRows {
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

/// Rows beside which no cells are alive, and those above and below them.
template <class L>
struct LoneRows {
  using R = typename L::Rows;
  R above, cells, below;

  MOOREA_SOUP_INLINE void read(const std::uint64_t* row) {
    load(above, row - 1);
    load(cells, row);
    load(below, row + 1);
  }
};

/// Which rules a loop is for: Life, life-like ones, and those that do not count.
enum class SoupRules { life, counts, cells };

/// The next state of cells that are alive now, from the counts of the rows above, their own, and below, or of
/// columns.
template <class L, SoupRules rules, class R = typename L::Rows>
MOOREA_SOUP_INLINE void next_of_counts(const SoupRule& rule, const R& alive, const Columns<R>& above,
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
  const R low[4] = {~(one | two), one & ~two, two & ~one, one & two};
  const R high[3] = {~(four | eight), four & ~eight, eight};
  const R cells[4] = {R{}, ~alive, alive, ~R{}};  // none, those that are born, that survive, and both
  R result = {};
  for (unsigned total = 0; total <= 9; ++total)
    result |= low[total % 4] & high[total / 4] & cells[rule.of_block[total]];
  next = result;
}

/// The next state of a vector, from those above and below it.
template <class L, SoupRules rules, class R = typename L::Rows>
MOOREA_SOUP_INLINE void next_rows(const SoupRule& rule, const CountedRows<L>& above,
                                  const CountedRows<L>& here, const CountedRows<L>& below, R& next) {
  Columns<R> up, down;
  L::row_above(above.counts.one, here.counts.one, up.one);
  L::row_above(above.counts.two, here.counts.two, up.two);
  L::row_below(here.counts.one, below.counts.one, down.one);
  L::row_below(here.counts.two, below.counts.two, down.two);
  next_of_counts<L, rules>(rule, here.cells, up, here.counts, down, next);
}

template <class L, SoupRules rules, class R = typename L::Rows>
MOOREA_SOUP_INLINE void next_rows(const SoupRule& rule, const NeighbourRows<L>& above,
                                  const NeighbourRows<L>& here, const NeighbourRows<L>& below, R& next) {
  Apart<R> nine[9];
  L::row_above(above.before, here.before, nine[0].rows);
  L::row_above(above.cells, here.cells, nine[1].rows);
  L::row_above(above.after, here.after, nine[2].rows);
  nine[3].rows = here.before;
  nine[4].rows = here.cells;
  nine[5].rows = here.after;
  L::row_below(here.before, below.before, nine[6].rows);
  L::row_below(here.cells, below.cells, nine[7].rows);
  L::row_below(here.after, below.after, nine[8].rows);
  L::cells(rule, nine, next);
}

// Rows are added before columns: no row has to be moved within vectors.
template <class L, SoupRules rules, class R = typename L::Rows>
MOOREA_SOUP_INLINE void next_rows(const SoupRule& rule, const LoneRows<L>& lone, R& next) {
  if (rules == SoupRules::cells) {
    Apart<R> nine[9];
    const R* const rows[3] = {&lone.above, &lone.cells, &lone.below};
    for (int i = 0; i < 3; ++i) {
      nine[3 * i].rows = *rows[i] + *rows[i];
      nine[3 * i + 1].rows = *rows[i];
      nine[3 * i + 2].rows = *rows[i] >> 1;
    }
    L::cells(rule, nine, next);
    return;
  }
  Columns<R> before, here, after;
  L::parity(lone.above, lone.cells, lone.below, here.one);
  L::majority(lone.above, lone.cells, lone.below, here.two);
  before.one = here.one + here.one;
  before.two = here.two + here.two;
  after.one = here.one >> 1;
  after.two = here.two >> 1;
  next_of_counts<L, rules>(rule, lone.cells, before, here, after, next);
}

/// Tiles from top to bottom beside which no cells are alive, each of which is a vector, in registers.
template <class L, SoupRules rules, int tiles>
class TilesInRegisters {
 public:
  using R = typename L::Rows;
  static_assert(tiles <= 8);

  explicit MOOREA_SOUP_INLINE TilesInRegisters(const std::uint64_t* words) {
#pragma GCC unroll 8
    for (int i = 0; i < tiles; ++i) load(cells_[i], words + i * rows_of<R>);
  }
  MOOREA_SOUP_INLINE void write(std::uint64_t* words) const {
#pragma GCC unroll 8
    for (int i = 0; i < tiles; ++i) store(cells_[i], words + i * rows_of<R>);
  }
  MOOREA_SOUP_INLINE const R& tile(int i) const { return cells_[i]; }

  /// The next generation, from the tiles above and below.
  MOOREA_SOUP_INLINE void step(const SoupRule& rule, const R& above, const R& below) {
    R up = above;
#pragma GCC unroll 8
    for (int i = 0; i < tiles; ++i) {
      const R here = cells_[i];
      LoneRows<L> lone;
      L::row_above(up, here, lone.above);
      lone.cells = here;
      L::row_below(here, i + 1 < tiles ? cells_[i + 1] : below, lone.below);
      next_rows<L, rules>(rule, lone, cells_[i]);
      up = here;
    }
  }

 private:
  R cells_[tiles];
};

}  // namespace moorea::soup_kernel
