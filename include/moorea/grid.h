// SPDX-License-Identifier: MIT
// Cells in host memory, 64 a word: bit i of word j of a row is the cell in column 64*j + i.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "moorea/box.h"
#include "moorea/grid_view.h"

#pragma GCC visibility push(default)
namespace moorea {

/// A rectangle of two-state cells, packed. A world of 65536 x 65536 takes 512 MiB.
/// Bits beyond the width in a row's last word are always 0.
class Grid {
 public:
  Grid() = default;

  /// All cells dead. Throws Error (usage) for a negative size, Error (memory) with the figure if the cells do
  /// not fit in the memory that is available.
  Grid(std::int64_t width, std::int64_t height);

  Grid(const Grid&);
  Grid& operator=(const Grid&);
  Grid(Grid&& other) noexcept;
  Grid& operator=(Grid&& other) noexcept;
  ~Grid() = default;

  /// Noise: each cell is alive with probability `density` (0..1, rounded to a multiple of 2^-32). The cell in
  /// column x and row y is a pure function of (seed, density, y, x): bit-sliced Philox4x32-10, see
  /// docs/rules.md.
  static Grid random(std::int64_t width, std::int64_t height, double density, std::uint64_t seed);

  std::int64_t width() const { return width_; }
  std::int64_t height() const { return height_; }
  std::int64_t words_per_row() const { return words_; }
  bool empty() const { return width_ == 0 || height_ == 0; }

  /// The words_per_row() words of row y. A writer keeps the bits beyond the width at 0.
  std::uint64_t* row(std::int64_t y) { return cells_.get() + y * words_; }
  const std::uint64_t* row(std::int64_t y) const { return cells_.get() + y * words_; }

  /// The cell in column x and row y, which must lie inside.
  bool alive(std::int64_t x, std::int64_t y) const { return row(y)[x >> 6] >> (x & 63) & 1; }
  void set(std::int64_t x, std::int64_t y, bool alive = true);

  /// The number of live cells.
  std::uint64_t population() const;

  /// The smallest box that holds every live cell; nothing when all are dead.
  std::optional<Box> bounding_box() const;

  /// The state hash of the live cells, a number below 2^61 - 1, with the grid's top-left cell at `origin`. It
  /// depends on the coordinates of the live cells alone:
  ///   hash = sum of 2^(x mod 32) * a^floor(x / 32) * b^y  modulo 2^61 - 1
  /// with the constants a and b of docs/rules.md, so the hashes of the parts of a world add up.
  /// Throws Error (usage) for coordinates beyond max_coordinate.
  std::uint64_t hash(Position origin = {}) const;

  /// The cells inside `box`, which may reach beyond the edges; what lies outside is dead. Throws Error
  /// (usage) for a box beyond max_coordinate.
  Grid crop(const Box& box) const;

  /// Combines `source`, its top-left cell at `at`, with the cells that are there; cells that fall outside are
  /// dropped. Throws Error (usage) for coordinates beyond max_coordinate.
  void paste(const ConstGridView& source, Position at, PasteMode mode = PasteMode::replace);

  /// The cells as a view, valid as long as the grid is neither moved nor destroyed.
  GridView view() { return {cells_.get(), words_, width_, height_}; }
  ConstGridView view() const { return {cells_.get(), words_, width_, height_}; }
  operator ConstGridView() const { return view(); }

  bool operator==(const Grid& other) const;

 private:
  struct Free {
    void operator()(std::uint64_t* p) const noexcept;
  };
  std::int64_t width_ = 0;
  std::int64_t height_ = 0;
  std::int64_t words_ = 0;
  std::unique_ptr<std::uint64_t[], Free> cells_;
};

}  // namespace moorea
#pragma GCC visibility pop
