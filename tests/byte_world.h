// SPDX-License-Identifier: MIT
// Cells of a byte each, for definitions that look cells up one by one.
#pragma once

#include <cstdint>
#include <vector>

#include "moorea/cells.h"
#include "moorea/topology.h"

namespace moorea::test {

class ByteWorld {
 public:
  ByteWorld(std::int64_t width, std::int64_t height, Topology topology)
      : width_(width),
        height_(height),
        is_torus_(topology == Topology::torus),
        cells_(static_cast<std::size_t>(width * height)) {}

  ByteWorld(const Cells& cells, Topology topology) : ByteWorld(cells.width(), cells.height(), topology) {
    for (std::int64_t y = 0; y < height_; ++y)
      for (std::int64_t x = 0; x < width_; ++x) set(x, y, cells.state(x, y));
  }

  std::int64_t width() const { return width_; }
  std::int64_t height() const { return height_; }

  /// The state of a cell, which may lie beyond an edge.
  std::uint8_t at(std::int64_t x, std::int64_t y) const {
    if (is_torus_) {
      // Without divisions, which would take most of the time
      while (x < 0) x += width_;
      while (x >= width_) x -= width_;
      while (y < 0) y += height_;
      while (y >= height_) y -= height_;
    } else if (x < 0 || x >= width_ || y < 0 || y >= height_) {
      return 0;
    }
    return cells_[static_cast<std::size_t>(y * width_ + x)];
  }
  void set(std::int64_t x, std::int64_t y, int state) {
    cells_[static_cast<std::size_t>(y * width_ + x)] = static_cast<std::uint8_t>(state);
  }

  Cells cells(int states) const {
    Cells all(width_, height_, states);
    for (std::int64_t y = 0; y < height_; ++y) {
      for (std::int64_t x = 0; x < width_; ++x)
        if (at(x, y) != 0) all.set(x, y, at(x, y));
    }
    return all;
  }

 private:
  std::int64_t width_, height_;
  bool is_torus_;
  std::vector<std::uint8_t> cells_;
};

/// The neighbourhoods of a row's cells from west to east as nine bits, of which each cell that is_alive(x, y)
/// sets one: the cell in the north west the highest, row by row.
template <class IsAlive>
class SlidingNeighbourhood {
 public:
  SlidingNeighbourhood(std::int64_t y, const IsAlive& is_alive) : y_(y), is_alive_(is_alive) {
    add_column(-1);
    add_column(0);
  }

  /// That of column x; called for 0, 1, 2 and so on.
  unsigned at(std::int64_t x) {
    add_column(x + 1);
    return bits_;
  }

 private:
  void add_column(std::int64_t x) {
    constexpr unsigned west_and_middle = 0b110'110'110;
    bits_ = bits_ << 1 & west_and_middle;
    for (int dy = -1; dy <= 1; ++dy) bits_ |= (is_alive_(x, y_ + dy) ? 1u : 0u) << 3 * (1 - dy);
  }

  std::int64_t y_;
  const IsAlive& is_alive_;
  unsigned bits_ = 0;
};

}  // namespace moorea::test
