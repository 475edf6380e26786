// SPDX-License-Identifier: MIT
// A square of the plane for one soup at a time, of which only the tiles are computed whose surroundings are
// not as they were two generations ago: ash of still lifes and blinkers takes no time.
//
// Columns are divided into strips of 64. A strip is an array of words, one for each row from top to bottom,
// and a tile is eight of them. Beyond the border all is dead. A box within the square is its inner part, see
// soup_run.h.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "boards/zeroed_buffer.h"
#include "jit/rule_code.h"
#include "logic/cell_network.h"
#include "logic/emit_x86.h"
#include "objects/cells.h"

namespace moorea {

/// A rule of nine cells as the squares of a census need it.
struct SoupRule {
  explicit SoupRule(const Rule& rule);

  bool counts;         ///< whether the rule is life-like, with these births and survivals
  unsigned birth = 0;  ///< bit n: with n live neighbours
  unsigned survival = 0;
  bool is_life() const { return counts && birth == 8 && survival == 12; }
  /// Of a block with so many live cells, 0 to 9: bit 0 if the cell in its middle is born, and bit 1 if it
  /// survives.
  std::array<std::uint8_t, 10> of_block{};

  // Of a rule that does not count: gates, and their machine code, null if there is none
  std::shared_ptr<const CellNetwork> network;
  StepNine avx2 = nullptr, avx512 = nullptr;

 private:
  StepNine code_for(VectorUnit unit, RuleCode& code);

  std::shared_ptr<const MachineCode> code_[2];  // of these functions
};

/// Arrangement of the words of a square, and of the masks of its tiles.
struct SoupSquare {
  std::int64_t size = 0;  ///< columns and rows, a multiple of 64, but not of 496, the rows of a mask

  static constexpr std::int64_t strip_columns = 64, tile_rows = 8;
  /// Dead rows above and below each strip: a tile, as it is read beside the first and the last one.
  static constexpr std::int64_t pad = tile_rows;
  /// Tile t of a strip is bit t % 62 + 1 of its mask t / 62, so that those above and below it are bits of the
  /// same word.
  static constexpr std::int64_t mask_tiles = 62;
  static constexpr std::uint64_t all_tiles = ~std::uint64_t{0} << 2 >> 1;

  std::int64_t strips() const { return size / strip_columns; }
  std::int64_t tiles() const { return size / tile_rows; }                         ///< of a strip
  std::int64_t masks() const { return (tiles() + mask_tiles - 1) / mask_tiles; }  ///< of a strip
  std::int64_t array() const { return size + pad; }  ///< words from one strip to the next one
  /// First row of a strip. One that remains dead is on either side of all.
  std::int64_t first_row(std::int64_t strip) const { return (strip + 1) * array() + pad; }
  std::int64_t words() const { return (strips() + 2) * array() + pad; }

  /// Those of the strips, and of one on either side of all.
  std::int64_t all_masks() const { return (strips() + 2) * masks(); }
  std::int64_t strip_of(std::int64_t mask) const { return mask / masks() - 1; }
  /// First row of the tile that bit 0 of a mask would be.
  std::int64_t row_of(std::int64_t mask) const { return (mask % masks() * mask_tiles - 1) * tile_rows; }
  std::int64_t mask_of(std::int64_t strip, std::int64_t tile) const {
    return (strip + 1) * masks() + tile / mask_tiles;
  }
  static std::uint64_t bit_of(std::int64_t tile) { return std::uint64_t{1} << (tile % mask_tiles + 1); }
  /// Tiles that there are of a strip's mask.
  std::uint64_t valid_tiles(std::int64_t mask) const {
    return mask + 1 < masks() ? all_tiles : all_tiles >> (masks() * mask_tiles - tiles()) & all_tiles;
  }
};

/// Tiles as bits of all masks.
using SoupTiles = std::vector<std::uint64_t>;

/// Tiles of a mask that are vertically adjacent.
struct SoupTileRun {
  std::uint16_t mask;
  std::uint8_t first, end;  ///< bits, from `first` to before `end`
};

/// Generations of all tiles that are due.
struct SoupSweep {
  const SoupRule& rule;
  SoupSquare square;
  std::uint64_t* cells[2];          ///< of even and odd generations: the present one, and the one before
  std::uint64_t parity;             ///< of the present one
  const std::int64_t* first_words;  ///< of the tile that bit 0 of each mask would be
  // Tiles that are due, all that have ever been advanced or edited, and memory: masks, of which those of
  // strips are 0 between two calls, and a list
  std::uint64_t *due, *touched, *next;
  SoupTileRun* list;
  /// Columns of each mask's strip that are outside the inner part, and tiles in its rows.
  const std::uint64_t *outside_columns, *inner;

  /// Generations for which tiles are due at once.
  static constexpr unsigned batch = 4;
  /// Returns whether cells outside the inner part have changed.
  using Function = bool (*)(const SoupSweep&, std::uint64_t generations);
  /// Those that this machine can execute, the fastest one first.
  static std::vector<Function> usable(const SoupRule& rule);
};

class SoupBoard {
 public:
  /// `sweep` is one of the usable functions; null: the fastest one.
  SoupBoard(SoupRule rule, std::int64_t size, SoupSweep::Function sweep = nullptr);

  /// Removes all cells, makes these alive, and begins with generation 0. `corner` is the position of the
  /// first cell of the square, which contains all of them. The inner part is empty.
  void begin(std::span<const Position> cells, const Position& corner);
  /// The same of rows from position `at` on, of which bit i is column i.
  void begin(std::span<const std::uint64_t> rows, const Position& at, const Position& corner);
  void advance(std::uint64_t generations);

  std::uint64_t generation() const { return generation_; }
  /// Whether it is known that no cell will differ from two generations before: after a multiple of four
  /// generations at once.
  bool is_stable() const;

  Box box() const { return {corner_.x, corner_.y, square_.size, square_.size}; }
  const Box& inner() const { return inner_; }
  /// The smallest inner part that contains `box` and begins and ends at rows of tiles. All outside it is
  /// considered as changed.
  void set_inner(const Box& box);
  /// Whether cells outside the inner part have changed since set_inner() or the last call.
  bool take_outside_changes();

  /// Tiles that may have live cells.
  const SoupTiles& touched() const { return touched_; }
  /// Tiles of all within `near` columns and rows of live cells outside the inner part.
  void find_near_outside(SoupTiles& tiles) const;
  static constexpr std::int64_t near = 10;
  /// Calls visit(position, rows) for each tile, with its first cell and its rows: bit i is i columns from
  /// there.
  template <class Visit>
  void for_each_tile(const SoupTiles& tiles, const Visit& visit) const;
  CellList cells() const;  ///< in any order
  std::uint64_t population() const;

  /// Adds live cells, or kills them, none of which is within two columns and rows of other live ones.
  void add(std::span<const Position> cells) { toggle(cells); }
  void remove(std::span<const Position> cells) { toggle(cells); }

  /// Remembers the cells of this generation.
  void keep();
  /// Whether at most so many cells differ from those.
  bool is_as_kept(std::uint64_t max_differences) const;

 private:
  std::uint64_t* words(std::uint64_t parity) {
    return words_ + static_cast<std::int64_t>(parity) * square_.words();
  }
  const std::uint64_t* words(std::uint64_t parity) const {
    return words_ + static_cast<std::int64_t>(parity) * square_.words();
  }
  std::uint64_t* kept() const { return words_ + 2 * square_.words(); }
  // Calls visit(word) with the index of the first word of each tile.
  template <class Visit>
  void for_each_word(const SoupTiles& tiles, const Visit& visit) const;
  void clear(const Position& corner);
  void toggle(std::span<const Position> cells);
  void flip(const Position& at, std::uint64_t row);
  void enlist(const Position& at, std::uint64_t columns, std::int64_t rows);
  void enlist(std::int64_t first_strip, std::int64_t last_strip, std::int64_t tile);

  SoupRule rule_;
  SoupSquare square_;
  SoupSweep::Function sweep_;
  Zeroed memory_;
  std::uint64_t* words_;  // of even and odd generations, and those that are kept
  Position corner_;
  Box inner_;
  bool has_outside_changes_ = false;
  std::uint64_t generation_ = 0;
  std::vector<std::int64_t> first_words_;  // as SoupSweep has them
  SoupTiles due_, touched_, next_, outside_columns_, inner_tiles_;
  std::vector<SoupTileRun> list_;
};

template <class Visit>
void SoupBoard::for_each_word(const SoupTiles& tiles, const Visit& visit) const {
  for (std::size_t mask = 0; mask < tiles.size(); ++mask) {
    for (std::uint64_t left = tiles[mask]; left != 0; left &= left - 1)
      visit(first_words_[mask] + std::countr_zero(left) * SoupSquare::tile_rows);
  }
}

template <class Visit>
void SoupBoard::for_each_tile(const SoupTiles& tiles, const Visit& visit) const {
  const std::uint64_t* const now = words(generation_ % 2);
  for (std::size_t mask = 0; mask < tiles.size(); ++mask) {
    const std::uint64_t* const words = now + first_words_[mask];
    const auto i = static_cast<std::int64_t>(mask);
    const Position corner =
        corner_ + Position{square_.strip_of(i) * SoupSquare::strip_columns, square_.row_of(i)};
    for (std::uint64_t left = tiles[mask]; left != 0; left &= left - 1) {
      const std::int64_t y = std::countr_zero(left) * SoupSquare::tile_rows;
      visit(corner + Position{0, y}, words + y);
    }
  }
}

}  // namespace moorea
