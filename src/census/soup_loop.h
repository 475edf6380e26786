// SPDX-License-Identifier: MIT
// The loop over tiles, for vectors of any size.
//
// Tiles that are due are listed for a batch of several generations, as all that a change can reach in them:
// between two generations of a batch no decision has to be waited for. Those that are vertically adjacent are
// one entry, a run: the rows above and below a tile come from counts that its neighbours need as well. A run
// around which no tiles are due makes all generations of the batch at once: what surrounds it is as it was
// two generations before.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "census/soup_kernel.h"

namespace moorea::soup_kernel {

constexpr unsigned batch = SoupSweep::batch;
static_assert(batch % 2 == 0 && batch <= SoupSquare::tile_rows);
constexpr std::uint64_t first_bits = (1U << batch) - 1, last_columns = first_bits << (64 - batch);

/// Bits of the tile above, itself, and the one below, as far as changes of these rows of a tile reach them.
constexpr std::array<std::uint8_t, 256> reached = [] {
  std::array<std::uint8_t, 256> bits{};
  for (unsigned rows = 1; rows < 256; ++rows) {
    const bool above = (rows & first_bits) != 0, below = rows >> (8 - batch) != 0;
    bits[rows] = static_cast<std::uint8_t>((above ? 1 : 0) | 2 | (below ? 4 : 0));
  }
  return bits;
}();

/// Tiles that are reached by changes of a run: those on its left, in its strip, and on its right. Bit 0 is
/// the tile above the run.
struct ReachedTiles {
  std::uint64_t left = 0, here = 0, right = 0;

  /// With the changes of the run's tile `i`.
  MOOREA_SOUP_INLINE void add(const Change& change, unsigned i) {
    here |= std::uint64_t{reached[change.any]} << i;
    if ((change.left | change.right) == 0) return;
    left |= std::uint64_t{reached[change.left]} << i;
    right |= std::uint64_t{reached[change.right]} << i;
  }
};

template <class L, SoupRules rules>
class Sweep {
 public:
  explicit MOOREA_SOUP_INLINE Sweep(const SoupSweep& call)
      : call_(call),
        array_(call.square.array()),
        masks_(call.square.masks()),
        end_mask_(masks_ + call.square.strips() * masks_),
        from_(call.cells[call.parity]),
        to_(call.cells[1 - call.parity]),
        list_end_(call.list) {}

  /// As SoupSweep::Function.
  MOOREA_SOUP_INLINE bool run(std::uint64_t generations) {
    for (; generations > 0 && list_due(); generations -= steps_) {
      steps_ = generations < batch ? generations : batch;
      advance_apart();
      if (list_end_ != call_.list) advance_others();
      if (steps_ % 2 != 0) std::swap(from_, to_);
      find_due();
    }
    std::uint64_t outside[rows], any = 0;
    store(outside_, outside);
    for (const std::uint64_t row : outside) any |= row;
    return any != 0;
  }

 private:
  using R = typename L::Rows;
  static constexpr int rows = rows_of<R>;
  static_assert(SoupSquare::tile_rows % rows == 0);
  // Whether the generations of up to so many tiles are made in registers: other rules need more of these
  static constexpr bool uses_registers = rows == SoupSquare::tile_rows && rules == SoupRules::life;
  static constexpr int max_in_registers = 8;

  // Which changes are recorded: those outside the inner part, and those that determine the tiles of the next
  // batch.
  enum class Watched { no_cells, outside, all_cells };

  // Rows of a run, from the first one on.
  class Flanked {
   public:
    MOOREA_SOUP_INLINE Flanked(const std::uint64_t* first, std::int64_t array) : array_(array) {
      above_.read(first - rows, array);
      here_.read(first, array);
    }
    MOOREA_SOUP_INLINE void next(const SoupRule& rule, const std::uint64_t* row, R& cells) {
      below_.read(row + rows, array_);
      next_rows<L, rules>(rule, above_, here_, below_, cells);
      above_ = here_;
      here_ = below_;
    }

   private:
    std::conditional_t<rules == SoupRules::cells, NeighbourRows<L>, CountedRows<L>> above_, here_, below_;
    std::int64_t array_;
  };

  // The same of a run beside which no cells are alive.
  class Lone {
   public:
    MOOREA_SOUP_INLINE Lone(const std::uint64_t*, std::int64_t) {}
    MOOREA_SOUP_INLINE void next(const SoupRule& rule, const std::uint64_t* row, R& cells) {
      LoneRows<L> lone;
      lone.read(row);
      next_rows<L, rules>(rule, lone, cells);
    }
  };

  static MOOREA_SOUP_INLINE std::uint64_t tiles_of(const SoupTileRun& run) {
    return (std::uint64_t{1} << run.end) - (std::uint64_t{1} << run.first);
  }

  // Index of a run's first word.
  MOOREA_SOUP_INLINE std::int64_t word_of(const SoupTileRun& run) const {
    return call_.first_words[run.mask] + run.first * SoupSquare::tile_rows;
  }

  // Whether no cells are alive beside a run: the tiles there, and those next to these in which cells at their
  // limits are alive, would have been due.
  MOOREA_SOUP_INLINE bool is_lone(const SoupTileRun& run) const {
    return ((call_.touched[run.mask - masks_] | call_.touched[run.mask + masks_]) & tiles_of(run)) == 0;
  }

  // Whether no tiles are due around a run, not even at its corners: these would see its last generation in
  // the first one. Runs at either end of one of several masks are not examined.
  MOOREA_SOUP_INLINE bool is_apart(const SoupTileRun& run) const {
    if (masks_ > 1 && (run.first == 1 || run.end == SoupSquare::mask_tiles + 1)) return false;
    const std::uint64_t tiles = tiles_of(run);
    return ((call_.due[run.mask - masks_] | call_.due[run.mask + masks_]) &
            (tiles << 1 | tiles | tiles >> 1)) == 0;
  }

  // Whether no cell of a run is outside the inner part.
  MOOREA_SOUP_INLINE bool is_inside(const SoupTileRun& run) const {
    return call_.outside_columns[run.mask] == 0 && (tiles_of(run) & ~call_.inner[run.mask]) == 0;
  }

  // Cells outside are as they were if they are so in all generations of even numbers.
  MOOREA_SOUP_INLINE bool ignores_outside(std::uint64_t generation) const {
    return steps_ == batch && generation % 2 != 0;
  }

  // The batch of all runs that no other one influences. The others remain in the list.
  MOOREA_SOUP_INLINE void advance_apart() {
    SoupTileRun* others = call_.list;
    for (const SoupTileRun* run = call_.list; run != list_end_; ++run) {
      if (!is_apart(*run))
        *others++ = *run;
      else if (is_lone(*run))
        advance_lone(*run);
      else
        advance<Flanked>(*run);
    }
    list_end_ = others;
  }

  // The batch of those in the list, generation by generation.
  MOOREA_SOUP_INLINE void advance_others() {
    std::uint64_t *from = from_, *to = to_;
    for (std::uint64_t g = 1; g < steps_; ++g) {
      for (const SoupTileRun* run = call_.list; run != list_end_; ++run) {
        if (ignores_outside(g) || is_inside(*run))
          step<Watched::no_cells, Flanked>(*run, from, to);
        else
          step<Watched::outside, Flanked>(*run, from, to);
      }
      std::swap(from, to);
    }
    for (const SoupTileRun* run = call_.list; run != list_end_; ++run)
      step<Watched::all_cells, Flanked>(*run, from, to);
  }

  // The batch of one run.
  template <class RunRows>
  MOOREA_SOUP_INLINE void advance(const SoupTileRun& run) {
    const bool inside = is_inside(run);
    std::uint64_t *from = from_, *to = to_;
    for (std::uint64_t g = 1; g < steps_; ++g) {
      if (inside || ignores_outside(g))
        step<Watched::no_cells, RunRows>(run, from, to);
      else
        step<Watched::outside, RunRows>(run, from, to);
      std::swap(from, to);
    }
    step<Watched::all_cells, RunRows>(run, from, to);
  }

  MOOREA_SOUP_INLINE void advance_lone(const SoupTileRun& run) {
    if constexpr (uses_registers) {
      if (steps_ == batch && run.end - run.first <= max_in_registers && is_inside(run)) {
        advance_in_registers<1>(run);
        return;
      }
    }
    advance<Lone>(run);
  }

  // A whole batch within the inner part, of a run that has so many tiles or more.
  template <int tiles>
  MOOREA_SOUP_INLINE void advance_in_registers(const SoupTileRun& run) {
    if constexpr (tiles < max_in_registers) {
      if (run.end - run.first > tiles) {
        advance_in_registers<tiles + 1>(run);
        return;
      }
    }
    static_assert(batch == 4);
    std::uint64_t *const even = from_ + word_of(run), *const odd = to_ + word_of(run);
    R above_even, above_odd, below_even, below_odd;
    load(above_even, even - rows);
    load(above_odd, odd - rows);
    load(below_even, even + tiles * rows);
    load(below_odd, odd + tiles * rows);
    TilesInRegisters<L, rules, tiles> now(even);
    now.step(call_.rule, above_even, below_even);
    now.step(call_.rule, above_odd, below_odd);
    const TilesInRegisters<L, rules, tiles> before = now;
    now.step(call_.rule, above_even, below_even);
    now.write(odd);
    now.step(call_.rule, above_odd, below_odd);
    now.write(even);
    ReachedTiles next;
#pragma GCC unroll 8
    for (int i = 0; i < tiles; ++i)
      next.add(L::change(now.tile(i) ^ before.tile(i), first_bits, last_columns), i);
    add_next(run, next);
  }

  // One generation of a run.
  template <Watched watched, class RunRows>
  MOOREA_SOUP_INLINE void step(const SoupTileRun& run, const std::uint64_t* from, std::uint64_t* to) {
    std::int64_t word = word_of(run);
    RunRows rows_of_run(from + word, array_);
    ReachedTiles next;
    for (unsigned bit = run.first; bit != run.end; ++bit) {
      Change change;
      for (int row = 0; row < SoupSquare::tile_rows; row += rows, word += rows) {
        R cells;
        rows_of_run.next(call_.rule, from + word, cells);
        if (watched == Watched::no_cells)
          store(cells, to + word);
        else
          replace<watched>(run.mask, bit, row, cells, to + word, change);
      }
      if (watched == Watched::all_cells) next.add(change, bit - run.first);
    }
    if (watched == Watched::all_cells) add_next(run, next);
  }

  MOOREA_SOUP_INLINE void add_next(const SoupTileRun& run, const ReachedTiles& tiles) {
    const int first = run.first - 1;
    call_.next[run.mask - masks_] |= tiles.left << first;
    call_.next[run.mask] |= tiles.here << first;
    call_.next[run.mask + masks_] |= tiles.right << first;
  }

  // Stores the rows of a tile from `row` on over their state of two generations before.
  template <Watched watched>
  MOOREA_SOUP_INLINE void replace(std::int64_t mask, unsigned bit, int row, const R& cells, std::uint64_t* to,
                                  Change& change) {
    R differs;
    load(differs, to);
    store(cells, to);
    differs ^= cells;
    const std::uint64_t outside = call_.outside_columns[mask] | ((call_.inner[mask] >> bit & 1) - 1);
    L::add_in_columns(differs, outside, outside_);
    if (watched != Watched::all_cells) return;
    const Change found = L::change(differs, first_bits, last_columns);
    change.any |= found.any << row;
    change.left |= found.left << row;
    change.right |= found.right << row;
  }

  // Tiles that are due and vertically adjacent are one entry. False if there are none.
  MOOREA_SOUP_INLINE bool list_due() {
    list_end_ = call_.list;
    for (std::int64_t i = masks_; i < end_mask_; ++i) {
      std::uint64_t due = call_.due[i];
      call_.touched[i] |= due;
      while (due != 0) {
        const int first = __builtin_ctzll(due);
        const std::uint64_t after = due + (std::uint64_t{1} << first);
        *list_end_++ = {static_cast<std::uint16_t>(i), static_cast<std::uint8_t>(first),
                        static_cast<std::uint8_t>(__builtin_ctzll(after))};
        due &= after;
      }
    }
    return list_end_ != call_.list;
  }

  // The tiles of a shorter batch remain due: it does not determine those of an edited world.
  MOOREA_SOUP_INLINE void find_due() {
    const std::uint64_t last_valid = call_.square.valid_tiles(masks_ - 1),
                        kept = steps_ < batch ? ~std::uint64_t{0} : 0;
    std::uint64_t from_above = 0;
    std::int64_t left = masks_;  // of a strip
    for (std::int64_t i = masks_; i < end_mask_; ++i) {
      // Bits 0 and 63 of a mask are tiles of those before and after it
      const std::uint64_t here = call_.next[i], valid = --left == 0 ? last_valid : SoupSquare::all_tiles;
      call_.due[i] = ((here | from_above | (call_.next[i + 1] & 1) << 62) & valid) | (call_.due[i] & kept);
      from_above = here >> 63 << 1;
      call_.next[i] = 0;
      if (left == 0) left = masks_;
    }
  }

  const SoupSweep call_;
  const std::int64_t array_, masks_, end_mask_;
  std::uint64_t *from_, *to_;
  std::uint64_t steps_ = 0;  // generations of the batch
  SoupTileRun* list_end_;
  R outside_ = {};
};

}  // namespace moorea::soup_kernel
