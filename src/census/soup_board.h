// SPDX-License-Identifier: MIT
// A square of the plane for one soup at a time, of which only the tiles are computed whose surroundings are
// not as they were two generations ago: ash of still lifes and blinkers takes no time.
//
// Columns are divided into strips of 128. A row of a strip is two words: its even columns and its odd ones,
// so that the neighbours of an even column are in the odd word, and only one of them is shifted. The words of
// a strip are two arrays from top to bottom; the rows above and below a tile of eight are adjacent in memory.
// Beyond the border all is dead. A box within the square is its inner part, see soup_run.h.
#pragma once

#include <bit>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include "objects/cells.h"

namespace moorea {

/// Births and survivals in the notation of the kernels.
struct SoupRule {
  unsigned birth = 0;  ///< bit n: with n live neighbours
  unsigned survival = 0;
  bool is_life() const { return birth == 8 && survival == 12; }
};

/// Arrangement of the words of a square.
struct SoupSquare {
  std::int64_t size = 0;  ///< columns and rows, a multiple of 128

  static constexpr std::int64_t strip_columns = 128, tile_rows = 8;
  static constexpr std::int64_t pad = 8;  ///< words before and after an array, for vectors of rows outside

  std::int64_t strips() const { return size / strip_columns; }
  std::int64_t tiles() const { return size / tile_rows; }  ///< of a strip
  /// 64-bit masks of the tiles of a strip.
  std::int64_t masks() const { return (tiles() + 63) / 64; }
  std::int64_t array() const { return size + 2 * pad; }  ///< words
  /// First row of a strip's even columns; those of its odd ones are an array later. A strip that remains dead
  /// is on either side.
  std::int64_t even(std::int64_t strip) const { return 2 * (strip + 1) * array() + pad; }
  std::int64_t words() const { return 2 * (strips() + 2) * array(); }
};

/// Tiles as bits of masks, those of a strip one after the other.
using SoupTiles = std::vector<std::uint64_t>;

/// Generations of all tiles that are due.
struct SoupSweep {
  SoupRule rule;
  SoupSquare square;
  std::uint64_t* cells[2];  ///< of even and odd generations: the present one, and the one before
  std::uint64_t parity;     ///< of the present one
  // Masks of tiles: those of the next generation, those that are added to the one after it because cells have
  // been edited, and those that have ever been due; and memory
  std::uint64_t *next, *again, *touched, *due;
  /// What is outside the inner part: bits of the even columns of each strip, and of the odd ones beside them;
  /// tiles before the first one and from the end on.
  const std::uint64_t* outside;
  std::int64_t first_tile, end_tile;
  /// Live cells of even and odd generations, and memory for those of each one from the next one on; neither
  /// is used for squares of one strip.
  std::uint64_t* population;
  std::uint64_t* populations;

  /// Returns whether cells outside the inner part have changed.
  using Function = bool (*)(const SoupSweep&, std::uint64_t generations);
  /// Those that this machine can execute, the fastest one first.
  static std::vector<Function> usable(const SoupRule& rule, const SoupSquare& square);
};

class SoupBoard {
 public:
  /// `sweep` is the number of one of the usable functions.
  SoupBoard(const Rule& rule, std::int64_t size, std::size_t sweep = 0);

  /// Removes all cells, makes these alive, and begins with generation 0. `corner` is the position of the
  /// first cell of the square, which contains all of them. The inner part is empty.
  void begin(std::span<const Position> cells, const Position& corner);
  /// Advances by some generations, and adds the population of each to a list if the square has several
  /// strips.
  void advance(std::uint64_t generations, std::vector<std::uint64_t>& populations);

  std::uint64_t generation() const { return generation_; }
  /// Whether no cell will differ from two generations before.
  bool is_stable() const;

  Box box() const { return {corner_.x, corner_.y, square_.size, square_.size}; }
  const Box& inner() const { return inner_; }
  /// The smallest inner part that contains `box` and begins and ends at even columns and rows of tiles. All
  /// outside it is considered as changed.
  void set_inner(const Box& box);
  /// Whether cells outside the inner part have changed since set_inner() or the last call.
  bool take_outside_changes();

  /// Tiles that may have live cells.
  const SoupTiles& touched() const { return touched_; }
  /// Those that have live cells outside the inner part, and the next two above, below, and next to all these.
  void find_near_outside(SoupTiles& tiles) const;
  /// Calls `visit` with position and live cells of each row of tiles that has some: 64 columns from
  /// `position` on.
  template <class Visit>
  void for_each_row(const SoupTiles& tiles, const Visit& visit) const;
  CellList cells() const;  ///< in any order

  /// Adds live cells, or kills them, none of which is within two columns and rows of other live ones.
  void add(std::span<const Position> cells);
  void remove(std::span<const Position> cells);

  /// Remembers the cells of this generation.
  void keep();
  /// Whether at most so many cells differ from those.
  bool is_as_kept(std::uint64_t max_differences) const;

 private:
  std::uint64_t* words(std::uint64_t parity) { return cells_[parity].data(); }
  const std::uint64_t* words(std::uint64_t parity) const { return cells_[parity].data(); }
  // Calls visit(strip, row) with the first row of each tile.
  template <class Visit>
  void for_each_tile(const SoupTiles& tiles, const Visit& visit) const;
  // Calls visit(word) with the index of the first word of both arrays of each tile that may have live cells.
  template <class Visit>
  void for_each_touched(const Visit& visit) const;
  void clear();
  void toggle(std::span<const Position> cells);
  void enlist(std::int64_t strip, std::int64_t tile);

  SoupRule rule_;
  SoupSquare square_;
  SoupSweep::Function sweep_;
  Position corner_;
  Box inner_;
  std::vector<std::uint64_t> outside_;  // as SoupSweep has them
  std::int64_t first_tile_ = 0, end_tile_ = 0;
  bool has_outside_changes_ = false;
  std::vector<std::uint64_t> cells_[2];  // of even and odd generations
  std::vector<std::uint64_t> kept_;
  std::uint64_t population_[2] = {0, 0};
  std::uint64_t generation_ = 0;
  SoupTiles touched_, due_, next_;
  SoupTiles again_;  // those that the step after the next one computes because cells have been edited
};

/// Bits of two halves in turn, the lowest one of `even` first.
std::uint64_t interleaved(std::uint32_t even, std::uint32_t odd);

template <class Visit>
void SoupBoard::for_each_tile(const SoupTiles& tiles, const Visit& visit) const {
  for (std::int64_t mask = 0; mask < std::ssize(tiles); ++mask) {
    for (std::uint64_t left = tiles[static_cast<std::size_t>(mask)]; left != 0; left &= left - 1)
      visit(mask / square_.masks(),
            (mask % square_.masks() * 64 + std::countr_zero(left)) * SoupSquare::tile_rows);
  }
}

template <class Visit>
void SoupBoard::for_each_row(const SoupTiles& tiles, const Visit& visit) const {
  const std::uint64_t* const now = words(generation_ % 2);
  for_each_tile(tiles, [&](std::int64_t strip, std::int64_t first) {
    const std::uint64_t* const rows = now + square_.even(strip);
    for (std::int64_t y = first; y < first + SoupSquare::tile_rows; ++y) {
      const std::uint64_t even = rows[y], odd = rows[y + square_.array()];
      if ((even | odd) == 0) continue;
      const Position at = corner_ + Position{strip * SoupSquare::strip_columns, y};
      for (const int half : {0, 32}) {
        const std::uint64_t columns =
            interleaved(static_cast<std::uint32_t>(even >> half), static_cast<std::uint32_t>(odd >> half));
        if (columns != 0) visit(at + Position{2 * half, 0}, columns);
      }
    }
  });
}

}  // namespace moorea
