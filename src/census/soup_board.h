// SPDX-License-Identifier: MIT
// A plane of fixed size for one soup at a time, of which only the tiles are computed whose surroundings are
// not as they were two generations ago: ash of still lifes and blinkers takes no time.
//
// Columns are divided into strips of 64; a strip is an array of 64-bit rows, so that the rows above and below
// a tile of eight are adjacent in memory and nothing is shifted vertically. The outermost tiles remain empty:
// a soup that would reach them has overflowed, and its result is not used.
#pragma once

#include <cstdint>
#include <optional>
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

/// Tiles that the next step computes, and those that may have live cells.
struct SoupTiles {
  std::vector<std::uint32_t> next, touched;
  std::vector<std::uint32_t> enlisted;  ///< by tile: the time at which it was enlisted last
  std::vector<std::uint8_t> state;      ///< by tile
  std::uint32_t time = 0;
  bool overflowed = false;
  static constexpr std::uint8_t border = 1, touched_before = 2;

  void enlist(std::uint32_t tile) {
    if (enlisted[tile] == time) return;
    enlisted[tile] = time;
    if (state[tile] == touched_before) {
      next.push_back(tile);
    } else {
      enlist_new(tile);
    }
  }
  void enlist_new(std::uint32_t tile);
};

/// One generation of all tiles that are due.
struct SoupSweep {
  SoupRule rule;
  const std::uint64_t* from = nullptr;
  std::uint64_t* to = nullptr;
  std::int64_t strip = 0;  ///< words of a strip
  std::span<const std::uint32_t> due;
  SoupTiles* tiles = nullptr;

  /// Returns the live cells that `to` has more than before.
  using Function = std::int64_t (*)(const SoupSweep&);
  static Function choose(const SoupRule& rule);  ///< for this machine
};

/// Arrangement of a plane's 64-bit words: strips of 64 columns, one after the other, each from top to bottom.
struct StripPlane {
  std::int64_t rows = 0, columns = 0;
  Position corner;  ///< its first cell

  static constexpr std::int64_t strip_columns = 64;
  /// A plane that contains a box.
  static StripPlane around(const Box& box) {
    return {box.height, (box.width + strip_columns - 1) / strip_columns * strip_columns, box.position()};
  }
  /// Words, one more strip included: of what lies on the right of the last column.
  std::size_t words() const { return static_cast<std::size_t>((columns / strip_columns + 1) * rows); }
  std::size_t word_of(const Position& at) const {
    return static_cast<std::size_t>((at.x - corner.x) / strip_columns * rows + at.y - corner.y);
  }
  unsigned bit_of_column(std::int64_t x) const {
    return static_cast<unsigned>((x - corner.x) % strip_columns);
  }
  std::uint64_t bit_of(const Position& at) const { return std::uint64_t{1} << bit_of_column(at.x); }
};

class SoupBoard {
 public:
  /// `strips` strips of 64 columns and as many rows as columns; position (0, 0) is in the middle.
  SoupBoard(const Rule& rule, std::int64_t strips);

  /// Removes all cells, makes these alive, and begins with generation 0.
  void begin(std::span<const Position> cells);
  void step();

  std::uint64_t generation() const { return generation_; }
  std::uint64_t population() const { return population_[generation_ % 2]; }
  bool overflowed() const { return tiles_.overflowed; }

  /// Calls `visit` with position and live cells of each row of each tile that has some: 64 columns from
  /// `position` on.
  template <class Visit>
  void for_each_row(Visit visit) const {
    for (const std::uint32_t tile : tiles_.touched) {
      const std::uint64_t* const rows = now() + std::size_t{tile} * tile_rows;
      for (std::int64_t row = 0; row < tile_rows; ++row) {
        if (rows[row] != 0) visit(corner(tile) + Position{0, row}, rows[row]);
      }
    }
  }
  std::optional<Box> bounding_box() const;

  /// Adds live cells, or kills them, none of which is within two columns and rows of other live ones.
  void add(std::span<const Position> cells) { edit(cells, true); }
  void remove(std::span<const Position> cells) { edit(cells, false); }

  /// Rows of the present generation, arranged as the plane says.
  const std::uint64_t* now() const { return words(generation_ % 2); }
  const StripPlane& plane() const { return plane_; }

  static constexpr std::int64_t tile_rows = 8;
  static constexpr std::int64_t strip_columns = StripPlane::strip_columns;

 private:
  std::uint64_t* words(std::uint64_t parity) { return cells_[parity].data() + pad; }
  const std::uint64_t* words(std::uint64_t parity) const { return cells_[parity].data() + pad; }
  Position corner(std::uint32_t tile) const {
    const std::int64_t word = std::int64_t{tile} * tile_rows;
    return plane_.corner + Position{word / plane_.rows * strip_columns, word % plane_.rows};
  }
  void clear();
  void edit(std::span<const Position> cells, bool alive);
  void enlist_around(std::uint32_t tile);

  static constexpr std::size_t pad = 8;  // words before and after, for vectors that begin a row too early

  SoupRule rule_;
  StripPlane plane_;
  std::vector<std::uint64_t> cells_[2];  // of even and odd generations
  std::uint64_t population_[2] = {0, 0};
  std::uint64_t generation_ = 0;
  SoupTiles tiles_;
  std::vector<std::uint32_t> due_;    // tiles that the next step computes
  std::vector<std::uint32_t> again_;  // those that have been edited: the step after it does, too
  SoupSweep::Function sweep_;
};

}  // namespace moorea
