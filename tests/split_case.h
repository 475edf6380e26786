// SPDX-License-Identifier: MIT
// Worlds that are divided among boards of named kernels, and what is expected of their cells.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "boards/split_board.h"
#include "choose/choose.h"
#include "definition.h"

namespace moorea::test {

inline constexpr SummaryParts everything = {.population = true, .hash = true, .bounding_box = true};

// Makes boards of one kernel.
inline BandBoard::Factory boards_of(const std::string& kernel, const WorldSpec& world) {
  Options options;
  options.kernel = kernel;
  options.threads = 2;
  return [choice = choose(world, options)](const WorldSpec& band) { return make_board(band, choice); };
}

// Parts with kernels in turn.
inline std::vector<SplitPart> parts_of(const WorldSpec& world, const std::vector<std::int64_t>& heights,
                                       const std::vector<std::string>& kernels) {
  std::vector<SplitPart> parts;
  for (std::size_t i = 0; i < heights.size(); ++i)
    parts.push_back({heights[i], boards_of(kernels[i % kernels.size()], world)});
  return parts;
}

inline void expect_cells(const SplitBoard& board, const Grid& expected, const std::string& what) {
  ASSERT_EQ(board.window(board.world().box()), expected) << what;
  const BoardSummary summary = board.summary(everything, {7, -3});
  EXPECT_EQ(summary.population, expected.population()) << what;
  EXPECT_EQ(summary.hash, expected.hash({7, -3})) << what;
  EXPECT_EQ(summary.bounding_box, expected.bounding_box()) << what;
  // Squares across the borders of parts, and beyond the world
  const Raster raster = {-5, -12, 30, 27, 7};
  std::vector<std::uint32_t> squares(static_cast<std::size_t>(raster.columns * raster.rows));
  for (std::int64_t y = 0; y < expected.height(); ++y) {
    for (std::int64_t x = 0; x < expected.width(); ++x) {
      const std::int64_t row = (y + 12) / 7, column = (x + 5) / 7;
      if (expected.alive(x, y) && row < raster.rows && column < raster.columns)
        ++squares[static_cast<std::size_t>(row * raster.columns + column)];
    }
  }
  EXPECT_EQ(board.density(raster), squares) << what;
  const Box window = {-9, 40, 90, 75};
  EXPECT_EQ(board.window(window), expected.crop(window)) << what;
}

}  // namespace moorea::test
