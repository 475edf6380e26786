// SPDX-License-Identifier: MIT
// What is expected of the cells of a board that is made of several parts.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "boards/board.h"

namespace moorea::test {

inline constexpr SummaryParts everything = {.population = true, .hash = true, .bounding_box = true};

// Squares across the borders of parts, and beyond the world.
inline constexpr Raster crossing_raster = {-5, -12, 30, 27, 7};

inline std::vector<std::uint32_t> squares_of(const Grid& cells) {
  const Raster& raster = crossing_raster;
  std::vector<std::uint32_t> squares(static_cast<std::size_t>(raster.columns * raster.rows));
  for (std::int64_t y = 0; y < cells.height(); ++y) {
    for (std::int64_t x = 0; x < cells.width(); ++x) {
      const std::int64_t row = (y - raster.y) / raster.scale, column = (x - raster.x) / raster.scale;
      if (cells.alive(x, y) && row < raster.rows && column < raster.columns)
        ++squares[static_cast<std::size_t>(row * raster.columns + column)];
    }
  }
  return squares;
}

inline void expect_cells(const Board& board, const Grid& expected, const std::string& what) {
  ASSERT_EQ(board.window(board.world().box()), expected) << what;
  const BoardSummary summary = board.summary(everything, {7, -3});
  EXPECT_EQ(summary.population, expected.population()) << what;
  EXPECT_EQ(summary.hash, expected.hash({7, -3})) << what;
  EXPECT_EQ(summary.bounding_box, expected.bounding_box()) << what;
  EXPECT_EQ(board.density(crossing_raster), squares_of(expected)) << what;
  const Box window = {-9, 40, 90, 75};
  EXPECT_EQ(board.window(window), expected.crop(window)) << what;
}

}  // namespace moorea::test
