// SPDX-License-Identifier: MIT
// Cells that are replaced between two passes of boards that skip inactive tiles: what they influence is
// computed, and nothing else.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "boards/instruments.h"
#include "boards/split_board.h"
#include "every_board.h"
#include "moorea/lab/instruments.h"
#include "moorea/simulation.h"
#include "split_case.h"

namespace moorea::test {
namespace {

// Blocks and blinkers in all tiles.
Grid ash(std::int64_t width, std::int64_t height) {
  Grid cells(width, height), block(2, 2), blinker(3, 1);
  for (std::int64_t i = 0; i < 4; ++i) block.set(i % 2, i / 2);
  for (std::int64_t i = 0; i < 3; ++i) blinker.set(i, 0);
  for (std::int64_t y = 0; y + 8 < height; y += 13) {
    for (std::int64_t x = 0; x + 8 < width; x += 17)
      cells.paste((x + y) % 2 == 0 ? block : blinker, {x + 2, y + 3});
  }
  return cells;
}

Options kernel_options(const std::string& kernel) {
  Options options;
  options.kernel = kernel;
  options.threads = 2;
  return options;
}

class ReplacedRows : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!runs_here(GetParam())) GTEST_SKIP() << GetParam() << " does not run here";
  }
};

// Rectangles of noise at every border between groups of eight rows, of which tiles of 48 rows are made, in
// worlds whose last group is complete, low, or lower than a pass reaches; several writes before a pass, and
// passes of other lengths.
TEST_P(ReplacedRows, WakeWhatTheyInfluence) {
  struct Case {
    Topology topology;
    std::int64_t width, height;
  };
  for (const Case& world : {Case{Topology::torus, 4224, 208},
                            {Topology::torus, 4224, 203},
                            {Topology::plane, 4224, 205},
                            {Topology::torus, 4500, 100},
                            {Topology::plane, 9001, 131},
                            {Topology::torus, 301, 77}}) {
    const Grid start = ash(world.width, world.height);
    Simulation tried(Rule(), world.topology, start, kernel_options(GetParam()));
    Simulation expected(Rule(), world.topology, start, kernel_options("cpu/bits"));
    tried.step(24);
    expected.step(24);
    std::mt19937 random(7);
    const auto number = [&](std::int64_t from, std::int64_t to) {
      return std::uniform_int_distribution<std::int64_t>(from, to)(random);
    };
    std::vector<std::int64_t> rows;
    for (std::int64_t y = 0; y <= world.height; y += 8) rows.insert(rows.end(), {y - 2, y - 1, y});
    rows.insert(rows.end(), {world.height - 2, world.height - 1});
    std::ranges::shuffle(rows, random);
    for (const std::int64_t y : rows) {
      const Grid noise = Grid::random(number(1, 40), number(1, 3), 0.5, random());
      const Position at = {number(-5, world.width), y};
      const PasteMode mode = number(0, 1) == 0 ? PasteMode::replace : PasteMode::bitwise_xor;
      tried.paste(noise, at, mode);
      expected.paste(noise, at, mode);
      if (number(0, 3) == 0) continue;
      const auto generations = static_cast<std::uint64_t>(number(0, 3) == 0 ? number(1, 13) : 6);
      tried.step(generations);
      expected.step(generations);
      ASSERT_EQ(tried.grid(), expected.grid())
          << to_string(world.topology) << " " << world.width << " x " << world.height << ", " << noise.width()
          << " x " << noise.height() << " cells at " << at.x << ", " << y;
    }
  }
}

// One row of a world that is asleep wakes no more than the tiles that it can reach in a pass.
TEST_P(ReplacedRows, LeaveOthersAsleep) {
  for (const Topology topology : {Topology::torus, Topology::plane}) {
    Simulation simulation(Rule(), topology, ash(4224, 960), kernel_options(GetParam()));
    simulation.step(24);
    for (const std::int64_t y : {0, 300, 959}) {
      const TileCounts before = tile_counts(simulation);
      simulation.paste(Grid::random(4224, 1, 0.5, 3), {0, y}, PasteMode::replace);
      simulation.step(6);
      const TileCounts after = tile_counts(simulation);
      EXPECT_GT(after.computed, before.computed) << "row " << y;
      EXPECT_GT(after.skipped - before.skipped, 3 * (after.computed - before.computed)) << "row " << y;
      simulation.paste(ash(4224, 960), {0, 0}, PasteMode::replace);
      simulation.step(24);
    }
  }
}

// Parts of a divided world, each with a pentadecathlon, an oscillator of period 15, so that no part is
// unchanged after a turn: halo rows are filled in every turn and wake what is near them.
TEST_P(ReplacedRows, OfHalosLeaveMostOfAPartAsleep) {
  const std::vector<std::int64_t> heights = {480, 640, 520};
  for (const Topology topology : {Topology::torus, Topology::plane}) {
    const WorldSpec world = {Rule(), topology, 4224, 1640};
    Grid start = ash(world.width, world.height), row(10, 1);
    for (std::int64_t x = 0; x < 10; ++x) row.set(x, 0);
    for (const std::int64_t y : {200, 700, 1400}) {
      start.paste(Grid(40, 30), {1000, y});
      start.paste(row, {1015, y + 15});
    }
    Simulation expected(Rule(), topology, start, kernel_options("cpu/bits"));
    SplitBoard board(world, 12, parts_of(world, heights, {GetParam()}));
    board.load(start, {});
    board.advance(48);
    const TileCounts before = tile_counts_of(board);
    board.advance(240);
    const TileCounts after = tile_counts_of(board);
    expected.step(288);
    EXPECT_EQ(board.window(world.box()), expected.grid()) << to_string(topology);
    EXPECT_GT(after.skipped - before.skipped, 3 * (after.computed - before.computed)) << to_string(topology);
  }
}

INSTANTIATE_TEST_SUITE_P(Lazy, ReplacedRows,
                         testing::Values("cpu/tiles", "cuda/strided_lazy",
                                         "cuda/strided + cuda/strided_lazy"),
                         [](const auto& kernel) { return test_name(kernel.param); });

}  // namespace
}  // namespace moorea::test
