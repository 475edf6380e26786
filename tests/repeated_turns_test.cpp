// SPDX-License-Identifier: MIT
// Parts of a divided world in which nothing but oscillators happens are not computed, and are again as soon
// as something reaches them.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "boards/split_board.h"
#include "choose/choose.h"
#include "choose/parts.h"
#include "definition.h"
#include "every_board.h"
#include "moorea/pattern.h"
#include "moorea/simulation.h"
#include "queued_board.h"
#include "small_patterns.h"
#include "split_case.h"

namespace moorea::test {
namespace {

void put(Grid& world, const char* rle, std::int64_t x, std::int64_t y) {
  world.paste(parse_pattern(std::string("x = 0, y = 0\n") + rle, "test").cells, {x, y},
              PasteMode::bitwise_or);
}

// Counts the generations that a board computes.
class Counted final : public Board {
 public:
  Counted(std::unique_ptr<Board> board, std::uint64_t* generations)
      : Board(board->world()), board_(std::move(board)), generations_(generations) {}
  void load(const Grid& cells, Position at) override { board_->load(cells, at); }
  void write(const ConstGridView& cells, Position at, PasteMode mode) override {
    board_->write(cells, at, mode);
  }
  void read(const Box& box, const GridView& to) const override { board_->read(box, to); }
  void advance(std::uint64_t generations) override {
    *generations_ += generations;
    board_->advance(generations);
  }
  BoardSummary summary(const SummaryParts& parts, Position origin) const override {
    return board_->summary(parts, origin);
  }
  BoardInstruments* instruments() override { return board_->instruments(); }

 private:
  std::unique_ptr<Board> board_;
  std::uint64_t* generations_;
};

// A divided world whose parts count, and the same world on one board.
struct Compared {
  Compared(const WorldSpec& world, const std::vector<std::int64_t>& heights, std::int64_t halo,
           const std::string& kernel, const Grid& start)
      : whole(boards_of("cpu/tiles", world)(world)), computed(heights.size()) {
    std::vector<SplitPart> parts = parts_of(world, heights, {kernel});
    for (std::size_t i = 0; i < parts.size(); ++i) {
      parts[i].make = [make = parts[i].make, count = &computed[i]](const WorldSpec& band) {
        return std::make_unique<Counted>(make(band), count);
      };
    }
    divided = std::make_unique<SplitBoard>(world, halo, parts);
    whole->load(start, {});
    divided->load(start, {});
  }
  void advance(std::uint64_t generations) {
    whole->advance(generations);
    divided->advance(generations);
  }
  bool is_equal() const { return cells() == divided->window(divided->world().box()); }
  Grid cells() const { return whole->window(whole->world().box()); }

  std::unique_ptr<Board> whole;
  std::vector<std::uint64_t> computed;  // generations of each part
  std::unique_ptr<SplitBoard> divided;
};

const std::vector<std::int64_t> part_heights = {60, 80, 52};
constexpr std::int64_t board_width = 200, board_height = 192;

// Oscillators of periods one to three in all parts and across the borders at rows 60, 140 and 192.
Grid settled() {
  Grid world(board_width, board_height);
  for (const std::int64_t y : {8, 30, 58, 59, 90, 110, 138, 139, 160, 180})
    put(world, block_rle, 10 + y % 5, y);
  for (const std::int64_t y : {20, 59, 60, 75, 139, 140, 171}) put(world, blinker_rle, 40 + y % 7, y);
  for (const std::int64_t y : {20, 55, 85, 132, 165}) put(world, pulsar_rle, 80, y);
  return world;
}

class RepeatedParts : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!runs_here(GetParam())) GTEST_SKIP() << GetParam() << " does not run here";
  }
};

TEST_P(RepeatedParts, AreNotComputed) {
  for (const Topology topology : {Topology::torus, Topology::plane}) {
    for (const std::int64_t halo : {12, 24, 32, 50}) {
      if (is_sanitized && (halo == 24 || halo == 32)) continue;
      Compared worlds({Rule(), topology, board_width, board_height}, part_heights, halo, GetParam(),
                      settled());
      for (const int portion : {5, 5000, 20'000, 1, 7, 12, 13, 10'011}) {
        worlds.advance(static_cast<std::uint64_t>(portion));
        ASSERT_TRUE(worlds.is_equal()) << to_string(topology) << ", halo " << halo << ", after " << portion;
      }
      expect_cells(*worlds.divided, worlds.cells(), "queries of inactive parts");
      // Turns of 12 or 24 generations, unless the kernel skips no tiles
      if (halo > 24 && GetParam() != "cpu/tiles") continue;
      for (const std::uint64_t generations : worlds.computed)
        EXPECT_LT(generations, 5000u) << to_string(topology) << ", halo " << halo;
    }
  }
}

// An oscillator of period 14 keeps its part awake and no other.
TEST_P(RepeatedParts, AreThoseWithoutActivity) {
  for (const Topology topology : {Topology::torus, Topology::plane}) {
    Grid start = settled();
    put(start, tumbler_rle, 150, 100);
    Compared worlds({Rule(), topology, board_width, board_height}, part_heights, 12, GetParam(), start);
    for (const int portion : {3000, 7000, 1, 3002, 6}) {
      worlds.advance(static_cast<std::uint64_t>(portion));
      ASSERT_TRUE(worlds.is_equal()) << to_string(topology) << ", after " << portion;
    }
    EXPECT_LT(worlds.computed[0], 1000u);
    EXPECT_GT(worlds.computed[1], 13'000u);
    EXPECT_LT(worlds.computed[2], 1000u);
  }
}

// One of period 15, too, but then the world as a whole repeats, until it is edited.
TEST_P(RepeatedParts, AreWholeWorldsWithLongPeriods) {
  for (const Topology topology : {Topology::torus, Topology::plane}) {
    Grid start = settled();
    put(start, pentadecathlon_rle, 150, 100);
    Compared worlds({Rule(), topology, board_width, board_height}, part_heights, 12, GetParam(), start);
    for (const int portion : {300'000, 1, 130, 20'003, 6}) {
      worlds.advance(static_cast<std::uint64_t>(portion));
      ASSERT_TRUE(worlds.is_equal()) << to_string(topology) << ", after " << portion;
    }
    for (const std::uint64_t generations : worlds.computed) EXPECT_LT(generations, 30'000u);
    Grid flying(3, 3);
    put(flying, glider_rle, 0, 0);
    worlds.whole->write(flying, {150, 10}, PasteMode::bitwise_or);
    worlds.divided->write(flying, {150, 10}, PasteMode::bitwise_or);
    for (const int portion : {400, 9000, 7}) {
      worlds.advance(static_cast<std::uint64_t>(portion));
      ASSERT_TRUE(worlds.is_equal()) << to_string(topology) << ", after an edit and " << portion;
    }
  }
}

// Gliders in both directions, which cross parts that have long been asleep.
TEST_P(RepeatedParts, AreComputedWhenSomethingComes) {
  for (const Topology topology : {Topology::torus, Topology::plane}) {
    for (const std::int64_t halo : {7, 12, 24}) {
      for (const bool down : {true, false}) {
        Grid start(board_width, board_height), flying(3, 3);
        put(start, block_rle, 150, 30);
        put(start, blinker_rle, 150, 170);
        for (const Position& cell : {Position{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}})
          flying.set(cell.x, down ? cell.y : 2 - cell.y);
        start.paste(flying, {3, down ? 62 : 130}, PasteMode::bitwise_or);
        Compared worlds({Rule(), topology, board_width, board_height}, part_heights, halo, GetParam(), start);
        for (int i = 0; i < 60; ++i) {
          worlds.advance(i % 3 == 0 ? 23 : 12);
          ASSERT_TRUE(worlds.is_equal()) << to_string(topology) << ", halo " << halo << ", portion " << i;
        }
        worlds.advance(2000);
        ASSERT_TRUE(worlds.is_equal()) << to_string(topology) << ", halo " << halo;
      }
    }
  }
}

// Every change from outside: edits at the borders, a single generation, other rows, other cells.
TEST_P(RepeatedParts, AreComputedAfterEdits) {
  for (const Topology topology : {Topology::torus, Topology::plane}) {
    Compared worlds({Rule(), topology, board_width, board_height}, part_heights, 12, GetParam(), settled());
    worlds.advance(600);
    const Grid noise = Grid::random(30, 3, 0.5, 4);
    for (const std::int64_t y : {0, 30, 58, 60, 100, 138, 140, 189}) {
      worlds.whole->write(noise, {120, y}, PasteMode::bitwise_xor);
      worlds.divided->write(noise, {120, y}, PasteMode::bitwise_xor);
      for (const int portion : {1, 5, 12, 700}) {
        worlds.advance(static_cast<std::uint64_t>(portion));
        ASSERT_TRUE(worlds.is_equal()) << to_string(topology) << ", row " << y << ", after " << portion;
      }
      EXPECT_EQ(worlds.divided->advance_comparing(), worlds.whole->advance_comparing());
      ASSERT_TRUE(worlds.is_equal()) << to_string(topology) << ", row " << y;
    }
    worlds.advance(5000);
    worlds.divided->move_rows(std::vector<std::int64_t>{100, 20, 72});
    worlds.advance(1000);
    ASSERT_TRUE(worlds.is_equal()) << to_string(topology) << ", rows moved";
    Grid other = settled();
    put(other, glider_rle, 30, 50);
    worlds.whole->load(other, {});
    worlds.divided->load(other, {});
    worlds.advance(500);
    ASSERT_TRUE(worlds.is_equal()) << to_string(topology) << ", loaded again";
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, RepeatedParts,
                         testing::Values("cpu/tiles", "cpu/bits", "cpu/strided + cpu/tiles",
                                         "cuda/strided + cuda/strided_lazy"),
                         [](const auto& kernel) { return test_name(kernel.param); });

// A turn of one generation is computed if its changes are asked for.
TEST(RepeatedTurns, CountTheirChanges) {
  Grid start(64, 40);
  put(start, block_rle, 10, 19);
  Compared worlds({Rule(), Topology::torus, 64, 40}, {20, 20}, 1, "cpu/bits", start);
  worlds.advance(30);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(worlds.divided->advance_comparing(), 0u);
  EXPECT_EQ(worlds.divided->window({0, 0, 64, 40}), start);
}

// Parts on devices of their own, which no thread waits for, are computed beside others that are not.
TEST(RepeatedTurns, LeaveQueuesToTheirWork) {
  const std::vector<std::int64_t> rows = {40, 40, 40, 40, 32};
  for (const Topology topology : {Topology::torus, Topology::plane}) {
    const WorldSpec world = {Rule(), topology, board_width, board_height};
    Grid start = settled();
    put(start, glider_rle, 150, 3);
    std::vector<SplitPart> parts = parts_of(world, rows, {"cpu/tiles"});
    std::vector<std::uint64_t> computed(rows.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      parts[i].make = [make = parts[i].make, count = &computed[i], i](const WorldSpec& band) {
        std::unique_ptr<Board> board = std::make_unique<Counted>(make(band), count);
        if (i == 0) board = std::make_unique<QueuedBoard>(std::move(board), std::chrono::microseconds(20), 1);
        return board;
      };
    }
    const std::unique_ptr<Board> whole = boards_of("cpu/tiles", world)(world);
    SplitBoard board(world, 12, parts);
    whole->load(start, {});
    board.load(start, {});
    for (const int portion : {5, 1000, 7, 12, 2000}) {
      whole->advance(static_cast<std::uint64_t>(portion));
      board.advance(static_cast<std::uint64_t>(portion));
      ASSERT_EQ(board.window(world.box()), whole->window(world.box()))
          << to_string(topology) << ", " << portion;
    }
    EXPECT_GT(computed[0], 3000u);
    EXPECT_LT(computed[2], 2500u);
  }
}

// What a user gets: a halo with room for quiet turns, and a run that ends although it has so many
// generations.
TEST(RepeatedTurns, AreThoseOfSimulations) {
  Grid start(600, 600);
  for (const std::int64_t y : {0, 192, 384}) start.paste(settled(), {150, y}, PasteMode::replace);
  Options options;
  options.device = "cpu,cpu,cpu";
  const WorldSpec world = {Rule(), Topology::torus, 600, 600};
  EXPECT_EQ(divide(world, choose(world, options)).division.halo, 12);
  Simulation simulation(world.rule, world.topology, start, options);
  simulation.step(1'000'000'006);
  EXPECT_EQ(simulation.grid(), after(start, world.rule, world.topology, 1'000'000'006 % 6));
}

// Noise that settles, in random parts and portions.
TEST(RepeatedTurns, EqualOneBoardInRandomWorlds) {
  const int cases = std::getenv("MOOREA_TEST_ALL") != nullptr ? 3000 : 40;
  std::mt19937 random(20261124);
  const auto number = [&](std::int64_t from, std::int64_t to) {
    return std::uniform_int_distribution<std::int64_t>(from, to)(random);
  };
  std::uint64_t computed = 0, all = 0;
  for (int i = 0; i < cases; ++i) {
    const WorldSpec world = {Rule(), number(0, 1) == 0 ? Topology::torus : Topology::plane, number(20, 130),
                             number(20, 160)};
    std::vector<double> shares(static_cast<std::size_t>(number(2, 4)));
    for (double& share : shares) share = static_cast<double>(number(1, 4));
    const std::vector<std::int64_t> rows = divide_rows(world.height, shares);
    const std::int64_t min_rows = *std::ranges::min_element(rows);
    const std::int64_t halo = number(0, 1) == 0 ? std::min<std::int64_t>(12, min_rows) : number(1, min_rows);
    const char* const kernels[] = {"cpu/tiles", "cpu/bits", "cpu/strided + cpu/tiles"};
    const Grid start = Grid::random(world.width, world.height, number(0, 1) == 0 ? 0.03 : 0.2,
                                    static_cast<std::uint64_t>(i));
    Compared worlds(world, rows, halo, kernels[number(0, 2)], start);
    for (int portion = 0; portion < 12; ++portion) {
      const auto generations = static_cast<std::uint64_t>(
          number(0, 2) == 0 ? number(1, 30) : number(100, number(0, 9) == 0 ? 12'000 : 1500));
      worlds.advance(generations);
      all += generations * rows.size();
      ASSERT_TRUE(worlds.is_equal()) << to_string(world.topology) << ", " << world.width << " x "
                                     << world.height << ", " << rows.size() << " parts, halo " << halo
                                     << ", portion " << portion << ", case " << i;
      if (number(0, 3) != 0) continue;
      const Grid patch = Grid::random(number(1, 9), number(1, 9), 0.5, random());
      const Position at = {number(0, world.width - 1), number(0, world.height - 1)};
      worlds.whole->write(patch, at, PasteMode::bitwise_or);
      worlds.divided->write(patch, at, PasteMode::bitwise_or);
    }
    computed += std::accumulate(worlds.computed.begin(), worlds.computed.end(), std::uint64_t{0});
  }
  EXPECT_LT(computed, all / 2) << "parts that have settled are not computed";
}

}  // namespace
}  // namespace moorea::test
