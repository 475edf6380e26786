// SPDX-License-Identifier: MIT
// A world that is divided by rows into parts equals the whole: for every kernel, both topologies, uneven
// parts, halos of one row, of one pass and of several, and parts of different layouts.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "boards/split_board.h"
#include "choose/choose.h"
#include "definition.h"
#include "every_board.h"
#include "moorea/error.h"
#include "split_case.h"

namespace moorea::test {
namespace {

// Gliders of all four directions that cross the borders between the parts, and still lifes on them.
Grid sparse_world(const WorldSpec& world, const std::vector<std::int64_t>& heights) {
  Grid glider(3, 3), block(2, 2);
  for (const Position& cell : {Position{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}}) glider.set(cell.x, cell.y);
  for (std::int64_t i = 0; i < 4; ++i) block.set(i % 2, i / 2);
  Grid cells(world.width, world.height);
  std::int64_t border = 0;
  for (const std::int64_t height : heights) {
    border += height;
    for (std::int64_t i = 0; i < 4; ++i) {
      Grid turned(3, 3);
      for (std::int64_t y = 0; y < 3; ++y) {
        for (std::int64_t x = 0; x < 3; ++x)
          if (glider.alive(x, y)) turned.set(i % 2 == 0 ? x : 2 - x, i < 2 ? y : 2 - y);
      }
      cells.paste(turned, {20 + 30 * i, border - (i < 2 ? 9 : -5)}, PasteMode::bitwise_or);
    }
    cells.paste(block, {6, border - 1}, PasteMode::bitwise_or);
  }
  return cells;
}

class EverySplit : public testing::TestWithParam<std::string> {};

TEST_P(EverySplit, EqualsTheWholeWorld) {
  const std::vector<std::int64_t> heights = {50, 68, 42};
  std::vector<std::string> kernels = {GetParam()};
  if (is_opencl(GetParam())) kernels = {"cpu/strided", GetParam(), "cpu/bits"};
  bool ran = false;
  std::string reason;
  for (const Topology topology : {Topology::torus, Topology::plane}) {
    for (const char* rule : {"B3/S23", "B36/S23", "B4678/S35678"}) {
      const WorldSpec world = {Rule::parse(rule), topology, 256, 160};
      if (is_sanitized && world.rule != Rule()) continue;
      for (const std::int64_t halo : {1, 6, 32}) {
        if (!test_everything() && world.rule != Rule() && halo != 6) continue;
        for (const Grid& start : {sparse_world(world, heights), Grid::random(256, 160, 0.4, 5)}) {
          try {
            SplitBoard board(world, halo, parts_of(world, heights, kernels));
            board.load(start, {});
            board.advance(7);
            board.advance(26);
            ran = true;
            expect_cells(board, after(start, world.rule, topology, 33),
                         std::string(rule) + " on a " + std::string(to_string(topology)) + ", halo " +
                             std::to_string(halo));
            if (HasFatalFailure()) return;
          } catch (const Error& error) {
            ASSERT_EQ(error.kind(), ErrorKind::unavailable) << error.what();
            reason = error.what();
          }
        }
      }
    }
  }
  if (!ran) GTEST_SKIP() << reason;
}

INSTANTIATE_TEST_SUITE_P(Table, EverySplit, testing::ValuesIn(kernel_names()),
                         [](const auto& kernel) { return test_name(kernel.param); });

std::vector<std::string> layouts() {
  std::vector<std::string> names = {"cpu/reference", "cpu/bits", "cpu/strided", "cpu/tiles",
                                    "cpu/ladder/09_lazy"};
  for (const char* name : {"opencl/bits", "opencl/strided", "cuda/bits", "cuda/strided", "cuda/strided_lazy"})
    if (runs_here(name)) names.emplace_back(name);
  return names;
}

TEST(SplitBoard, HasPartsOfAllPairsOfLayouts) {
  const std::vector<std::int64_t> heights = {37, 61};
  for (const std::string& above : layouts()) {
    for (const std::string& below : layouts()) {
      if (is_opencl(above) && is_opencl(below)) continue;
      for (const Topology topology : {Topology::torus, Topology::plane}) {
        const WorldSpec world = {Rule(), topology, 192, 98};
        const Grid start = Grid::random(192, 98, 0.35, 6);
        SplitBoard board(world, 9, parts_of(world, heights, {above, below}));
        board.load(start, {});
        board.advance(40);
        expect_cells(board, after(start, Rule(), topology, 40), above + " above " + below);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// Cells that are written across a border or in a halo between two exchanges.
TEST(SplitBoard, IsEditedAtItsBorders) {
  const std::vector<std::int64_t> heights = {20, 15, 29};
  for (const Topology topology : {Topology::torus, Topology::plane}) {
    const WorldSpec world = {Rule(), topology, 128, 64};
    for (const std::int64_t y : {-2, 0, 13, 18, 19, 20, 33, 35, 60, 63}) {
      Grid expected = Grid::random(128, 64, 0.3, 2);
      const Grid patch = Grid::random(21, 5, 0.5, static_cast<std::uint64_t>(y + 9));
      SplitBoard board(world, 8, parts_of(world, heights, {"cpu/strided", "cpu/tiles", "cpu/bits"}));
      board.load(expected, {});
      for (const PasteMode mode :
           {PasteMode::replace, PasteMode::bitwise_or, PasteMode::bitwise_xor, PasteMode::bitwise_and_not}) {
        board.advance(3);
        expected = after(expected, Rule(), topology, 3);
        board.write(patch, {50, y}, mode);
        expected.paste(patch, {50, y}, mode);
        ASSERT_EQ(board.window(world.box()), expected) << "at row " << y;
      }
      EXPECT_EQ(board.advance_comparing(), [&] {
        const Grid before = expected;
        expected = after(expected, Rule(), topology, 1);
        Grid changed = expected;
        changed.paste(before, {}, PasteMode::bitwise_xor);
        return changed.population();
      }());
      board.advance(11);
      ASSERT_EQ(board.window(world.box()), after(expected, Rule(), topology, 11)) << "at row " << y;
    }
  }
}

// A part of a world whose rows are a hundredth of the other's, and a halo as high as the smallest part.
TEST(SplitBoard, HasPartsAsLowAsItsHalo) {
  for (const Topology topology : {Topology::torus, Topology::plane}) {
    const WorldSpec world = {Rule(), topology, 100, 107};
    for (const std::vector<std::int64_t>& heights :
         {std::vector<std::int64_t>{1, 105, 1}, {3, 100, 4}, {104, 3}, {1, 106}}) {
      const std::int64_t halo = std::ranges::min(heights);
      const Grid start = Grid::random(100, 107, 0.4, 3);
      SplitBoard board(world, halo, parts_of(world, heights, {"cpu/strided"}));
      board.load(start, {});
      board.advance(25);
      ASSERT_EQ(board.window(world.box()), after(start, Rule(), topology, 25)) << "halo " << halo;
    }
  }
}

// Bits 0 to 8 are births, 9 to 17 survivals.
Rule random_rule(std::int64_t bits) {
  std::string text = "B";
  for (int n = 0; n < 18; ++n) {
    if (n == 9) text += "/S";
    if ((bits >> n & 1) != 0) text += std::to_string(n % 9);
  }
  return Rule::parse(text);
}

// Random worlds, rules, partitions, halos and kernels; all of --all's cases differ.
TEST(SplitBoard, EqualsOneBoardInRandomWorlds) {
  const std::int64_t cases = std::getenv("MOOREA_TEST_ALL") != nullptr ? 10'000 : 150;
  std::mt19937 random(20261123);
  const auto number = [&](std::int64_t from, std::int64_t to) {
    return std::uniform_int_distribution<std::int64_t>(from, to)(random);
  };
  const std::vector<std::string> kernels = {"cpu/bits", "cpu/strided", "cpu/tiles",
                                            "cpu/ladder/13_bits_temporal"};
  for (std::int64_t i = 0; i < cases; ++i) {
    const Rule rule = number(0, 1) == 0 ? Rule() : random_rule(number(0, (1 << 18) - 1));
    const WorldSpec world = {rule, number(0, 1) == 0 ? Topology::torus : Topology::plane, number(1, 300),
                             number(2, 200)};
    std::vector<double> shares(static_cast<std::size_t>(number(2, std::min<std::int64_t>(world.height, 5))));
    for (double& share : shares) share = static_cast<double>(number(1, 20));
    const std::vector<std::int64_t> heights = divide_rows(world.height, shares);
    ASSERT_EQ(std::accumulate(heights.begin(), heights.end(), std::int64_t{0}), world.height);
    const std::int64_t halo = number(1, std::ranges::min(heights));
    std::vector<std::string> chosen;
    for (std::size_t k = 0; k < shares.size(); ++k)
      chosen.push_back(kernels[static_cast<std::size_t>(number(0, std::ssize(kernels) - 1))]);
    const Grid start = Grid::random(world.width, world.height, number(0, 2) == 0 ? 0.02 : 0.4,
                                    static_cast<std::uint64_t>(i));
    auto generations = static_cast<std::uint64_t>(number(1, 3 * halo + 9));
    SplitBoard board(world, halo, parts_of(world, heights, chosen));
    board.load(start, {});
    board.advance(generations);
    if (number(0, 1) == 0) {
      for (double& share : shares) share = static_cast<double>(number(1, 20));
      std::vector<std::int64_t> moved =
          divide_rows(world.height - halo * std::ssize(shares) + std::ssize(shares), shares);
      for (std::int64_t& rows : moved) rows += halo - 1;
      board.move_rows(moved);
      const auto more = static_cast<std::uint64_t>(number(0, 2 * halo));
      board.advance(more);
      generations += more;
    }
    ASSERT_EQ(board.window(world.box()), after(start, rule, world.topology, static_cast<int>(generations)))
        << rule.str() << ", " << to_string(world.topology) << ", " << world.width << " x " << world.height
        << ", " << shares.size() << " parts, halo " << halo << ", " << generations << " generations, case "
        << i;
  }
}

TEST(SplitBoard, RefusesPartsThatAreTooLow) {
  const WorldSpec world = {Rule(), Topology::torus, 64, 20};
  const auto text_of = [&](std::int64_t halo, const std::vector<std::int64_t>& heights) -> std::string {
    try {
      SplitBoard(world, halo, parts_of(world, heights, {"cpu/bits"}));
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_EQ(text_of(5, {15, 5}), "");
  EXPECT_EQ(text_of(6, {15, 5}),
            "part 2 of a divided world has 5 rows: with a halo of 6 rows it needs at least 6");
  EXPECT_EQ(text_of(2, {20}), "a divided world has at least two parts");
  EXPECT_EQ(text_of(2, {15, 4}), "parts of 19 rows do not fill a world of 20 rows");
  const double shares[] = {1, 1, 1};
  EXPECT_EQ(divide_rows(3, shares), (std::vector<std::int64_t>{1, 1, 1}));
  EXPECT_EQ(divide_rows(10, std::array{1.0, 100.0, 1.0}), (std::vector<std::int64_t>{1, 8, 1}));
  EXPECT_EQ(divide_rows(100, std::array{1.0, 3.0}), (std::vector<std::int64_t>{25, 75}));
  EXPECT_THROW(divide_rows(2, shares), Error);
}

// A board that fails once, after some generations.
class Failing final : public Board {
 public:
  Failing(std::unique_ptr<Board> board, std::uint64_t generations)
      : Board(board->world()), board_(std::move(board)), left_(generations) {}
  void load(const Grid& cells, Position at) override { board_->load(cells, at); }
  void write(const ConstGridView& cells, Position at, PasteMode mode) override {
    board_->write(cells, at, mode);
  }
  void read(const Box& box, const GridView& to) const override { board_->read(box, to); }
  void advance(std::uint64_t generations) override {
    if (left_ < generations) {
      left_ = std::numeric_limits<std::uint64_t>::max();
      throw std::runtime_error("the device was lost");
    }
    left_ -= generations;
    board_->advance(generations);
  }
  BoardSummary summary(const SummaryParts& parts, Position origin) const override {
    return board_->summary(parts, origin);
  }

 private:
  std::unique_ptr<Board> board_;
  std::uint64_t left_;
};

TEST(SplitBoard, PassesOnTheErrorOfAPart) {
  const WorldSpec world = {Rule(), Topology::torus, 64, 60};
  std::vector<SplitPart> parts = parts_of(world, {20, 20, 20}, {"cpu/bits"});
  parts[1].make = [make = parts[1].make](const WorldSpec& band) {
    return std::make_unique<Failing>(make(band), 10);
  };
  SplitBoard board(world, 4, parts);
  const Grid start = Grid::random(64, 60, 0.4, 1);
  board.load(start, {});
  board.advance(8);
  try {
    board.advance(13);
    FAIL() << "the error was lost";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "the device was lost");
  }
  // The parts are in step, although one has not taken part in each exchange
  board.load(start, {});
  board.advance(50);
  EXPECT_EQ(board.window(world.box()), after(start, Rule(), Topology::torus, 50));
}

TEST(Crew, HasTeams) {
  Crew crew(3);
  std::atomic<int> calls = 0;
  for (int i = 0; i < 20; ++i) {
    crew.run([&](int, int members) {
      EXPECT_EQ(members, 3);
      team(2, [&](int, int threads) { calls += threads; });
    });
  }
  EXPECT_EQ(calls, 20 * 3 * 2 * 2);
}

TEST(Devices, AreAListWithSharesAndKernels) {
  const auto options_with = [](const char* device, std::vector<double> shares = {}, const char* kernel = "") {
    Options options;
    options.device = device;
    options.shares = std::move(shares);
    options.kernel = kernel;
    options.threads = 5;
    return options;
  };
  const Grid start = Grid::random(100, 90, 0.4, 1);
  Simulation simulation(Rule(), Topology::torus, start, options_with("cpu, cpu+cpu", {1, 2, 3}, "cpu/bits"));
  EXPECT_EQ(simulation.device(), "cpu,cpu,cpu");
  EXPECT_EQ(simulation.kernel(), "cpu/bits");
  EXPECT_EQ(simulation.threads(), 5);
  simulation.step(50);
  EXPECT_EQ(simulation.grid(), after(start, Rule(), Topology::torus, 50));
  const auto error_of = [&](const Options& options) -> std::string {
    try {
      Simulation(Rule(), Topology::torus, start, options);
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_EQ(error_of(options_with("cpu,cpu", {1})), "1 shares for 2 devices: expected one for each");
  EXPECT_EQ(error_of(options_with("cpu,cpu", {1, 0})), "share 0: expected a number above 0");
  EXPECT_EQ(error_of(options_with("cpu", {1})),
            "shares are those of several devices, as in cpu,cuda:0: one device has all rows");
  EXPECT_NE(error_of(options_with("cpu,gpu")).find("device \"gpu\" is not available"), std::string::npos);
  if (!runs_here("opencl/strided")) return;
  EXPECT_NE(error_of(options_with("cpu,cpu", {}, "opencl/strided"))
                .find("no kernel of \"opencl/strided\" runs on device cpu"),
            std::string::npos);
}

}  // namespace
}  // namespace moorea::test
