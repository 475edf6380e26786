// SPDX-License-Identifier: MIT
// Positions, sizes and rectangles of cells. Columns (x) grow to the right, rows (y) downwards; all
// coordinates are signed 64-bit numbers, and functions of the library accept them up to max_coordinate.
#pragma once

#include <algorithm>
#include <cstdint>

#pragma GCC visibility push(default)
namespace moorea {

/// Largest absolute column, row, width or height that functions accept.
constexpr std::int64_t max_coordinate = std::int64_t{1} << 60;

/// Column and row of a cell.
struct Position {
  std::int64_t x = 0;
  std::int64_t y = 0;

  friend bool operator==(const Position&, const Position&) = default;
};

inline Position operator+(const Position& a, const Position& b) { return {a.x + b.x, a.y + b.y}; }
inline Position operator-(const Position& a, const Position& b) { return {a.x - b.x, a.y - b.y}; }
inline Position operator-(const Position& a) { return {-a.x, -a.y}; }

/// Width and height in cells.
struct Size {
  std::int64_t width = 0;
  std::int64_t height = 0;

  /// Number of cells; exact up to 2^53.
  double area() const { return static_cast<double>(width) * static_cast<double>(height); }
  friend bool operator==(const Size&, const Size&) = default;
};

/// Rectangle of cells: columns x to right() - 1, rows y to bottom() - 1. A box without width or height is
/// empty.
struct Box {
  std::int64_t x = 0;
  std::int64_t y = 0;
  std::int64_t width = 0;
  std::int64_t height = 0;

  std::int64_t right() const { return x + width; }
  std::int64_t bottom() const { return y + height; }
  Position position() const { return {x, y}; }
  Size size() const { return {width, height}; }
  bool empty() const { return width <= 0 || height <= 0; }
  /// Number of cells; exact up to 2^53.
  double area() const { return size().area(); }

  bool contains(const Position& cell) const {
    return cell.x >= x && cell.x < right() && cell.y >= y && cell.y < bottom();
  }
  /// Whether all of `other` lies inside; an empty box is contained if its edges are inside or on an edge.
  bool contains(const Box& other) const {
    return other.x >= x && other.y >= y && other.right() <= right() && other.bottom() <= bottom();
  }
  Box translated(const Position& by) const { return {x + by.x, y + by.y, width, height}; }
  /// Adds `margin` cells on each side.
  Box expanded(std::int64_t margin) const {
    return {x - margin, y - margin, width + 2 * margin, height + 2 * margin};
  }

  friend bool operator==(const Box&, const Box&) = default;
};

/// Cells of both boxes; an empty box, of width or height 0, if there are none.
inline Box intersect(const Box& a, const Box& b) {
  const std::int64_t x = std::max(a.x, b.x), y = std::max(a.y, b.y);
  return {x, y, std::max<std::int64_t>(std::min(a.right(), b.right()) - x, 0),
          std::max<std::int64_t>(std::min(a.bottom(), b.bottom()) - y, 0)};
}

/// Smallest box that contains both; an empty box adds nothing.
inline Box unite(const Box& a, const Box& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  const std::int64_t x = std::min(a.x, b.x), y = std::min(a.y, b.y);
  return {x, y, std::max(a.right(), b.right()) - x, std::max(a.bottom(), b.bottom()) - y};
}

/// Squares of `scale` x `scale` cells, in `columns` columns and `rows` rows: square (i, j) begins at column
/// x + i * scale and row y + j * scale. They may reach beyond a world's edges, where all cells are dead.
struct Raster {
  std::int64_t x = 0;
  std::int64_t y = 0;
  std::int64_t columns = 0;
  std::int64_t rows = 0;
  std::int64_t scale = 1;  ///< 1 to max_raster_scale
};
constexpr std::int64_t max_raster_scale = 65535;
/// Of Simulation::fractions().
constexpr std::int64_t max_far_scale = std::int64_t{1} << 48;

}  // namespace moorea
#pragma GCC visibility pop
