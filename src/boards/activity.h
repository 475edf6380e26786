// SPDX-License-Identifier: MIT
// Activity of tiles: two arrays of flags, those reported in the previous generation and those being reported,
// swapped after each pass. A ring of tiles around the world removes the edge cases of neighbour look-ups.
#pragma once

#include <cstdint>
#include <vector>

namespace moorea {

class TileFlags {
 public:
  /// All tiles inactive.
  TileFlags(std::int64_t columns, std::int64_t rows, bool torus);

  std::int64_t columns() const { return columns_; }
  std::int64_t rows() const { return rows_; }

  /// Whether a tile or one of its eight neighbours was active in the previous generation.
  bool awake(std::int64_t column, std::int64_t row) const {
    const std::uint8_t* at = &before_[index(column, row)];
    const std::int64_t pitch = columns_ + 2;
    const auto three = [](const std::uint8_t* p) { return p[-1] | p[0] | p[1]; };
    return (three(at - pitch) | three(at) | three(at + pitch)) != 0;
  }

  /// Whether any tile at the world's edges will be computed, so that its halo will be read.
  bool edges_awake() const;

  /// No tile was active in the previous generation.
  bool quiet() const { return quiet_; }

  /// Every tile is reported once per pass, each by one thread.
  void report(std::int64_t column, std::int64_t row, bool active) { now_[index(column, row)] = active; }

  /// Ends a pass: the reported flags become those of the previous generation.
  void swap();

 private:
  std::size_t index(std::int64_t column, std::int64_t row) const {
    return static_cast<std::size_t>((row + 1) * (columns_ + 2) + column + 1);
  }

  std::int64_t columns_, rows_;
  bool torus_, quiet_ = true;
  std::vector<std::uint8_t> before_, now_;
};

}  // namespace moorea
