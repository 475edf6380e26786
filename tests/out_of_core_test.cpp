// SPDX-License-Identifier: MIT
// A world that is out of core equals the same world in core: for every kernel, topology, number of bands and
// generations per visit, with and without resident rows.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "boards/streamed_board.h"
#include "choose/backend.h"
#include "choose/choose.h"
#include "definition.h"
#include "every_board.h"
#include "expect_cells.h"
#include "moorea/error.h"
#include "simulation_access.h"
#include "split_case.h"

namespace moorea::test {
namespace {

// Boards of one kernel, and host memory as its device has it.
StreamedFactories factories_of(const std::string& kernel, const WorldSpec& world) {
  Options options;
  options.kernel = kernel;
  options.threads = 2;
  const Choice choice = choose(world, options);
  const auto make = [choice](const WorldSpec& band) { return make_board(band, choice); };
  return {make, make, [device = choice.device](std::size_t words) {
            return driver_of(device.backend).host_memory(device.index, words);
          }};
}

std::string text_of(const StreamedSpec& spec) {
  return spec.world.rule.str() + " on a " + std::string(to_string(spec.world.topology)) + " of " +
         std::to_string(spec.world.width) + " x " + std::to_string(spec.world.height) + ", " +
         std::to_string(spec.host_rows) + " rows on the host in " + std::to_string(spec.bands) + " bands, " +
         std::to_string(spec.halo) + " generations per visit, " + std::to_string(spec.bands_at_once) +
         (spec.one_at_a_time ? " bands, one at a time" : " bands at once");
}

// Gliders and blocks at the borders of bands of `rows` rows.
Grid sparse_world(const WorldSpec& world, std::int64_t rows) {
  Grid glider(3, 3), block(2, 2), cells(world.width, world.height);
  for (const Position& cell : {Position{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}}) glider.set(cell.x, cell.y);
  for (std::int64_t i = 0; i < 4; ++i) block.set(i % 2, i / 2);
  for (std::int64_t y = rows; y < world.height; y += 2 * rows) {
    cells.paste(glider, {20, y - 6}, PasteMode::bitwise_or);
    cells.paste(block, {80, y - 1}, PasteMode::bitwise_or);
  }
  return cells;
}

class EveryStreamed : public testing::TestWithParam<std::string> {};

TEST_P(EveryStreamed, EqualsTheWorldInCore) {
  bool ran = false;
  std::string reason;
  for (const Topology topology : {Topology::torus, Topology::plane}) {
    for (const char* rule : {"B3/S23", "B4678/S35678"}) {
      const WorldSpec world = {Rule::parse(rule), topology, 256, 160};
      if (is_sanitized && world.rule != Rule()) continue;
      for (const std::int64_t host_rows : {160, 96}) {
        for (const std::int64_t halo : {1, 6, 32}) {
          if (!test_everything() && world.rule != Rule() && halo != 6) continue;
          const StreamedSpec spec = {world, host_rows, 3, halo, 2, is_opencl(GetParam())};
          for (const Grid& start : {sparse_world(world, host_rows / 3), Grid::random(256, 160, 0.4, 5)}) {
            try {
              StreamedBoard board(spec, factories_of(GetParam(), world));
              board.load(start, {});
              board.advance(7);
              board.advance(26);
              ran = true;
              expect_cells(board, after(start, world.rule, topology, 33), text_of(spec));
              if (HasFatalFailure()) return;
            } catch (const Error& error) {
              ASSERT_EQ(error.kind(), ErrorKind::unavailable) << error.what();
              reason = error.what();
            }
          }
        }
      }
    }
  }
  if (!ran) GTEST_SKIP() << reason;
}

INSTANTIATE_TEST_SUITE_P(Table, EveryStreamed, testing::ValuesIn(kernel_names()),
                         [](const auto& kernel) { return test_name(kernel.param); });

// Random worlds, rules, partitions, generations per visit and kernels; all of --all's cases differ.
TEST(StreamedBoard, EqualsOneBoardInRandomWorlds) {
  const std::int64_t cases = std::getenv("MOOREA_TEST_ALL") != nullptr ? 10'000 : 200;
  std::mt19937 random(20261123);
  const auto number = [&](std::int64_t from, std::int64_t to) {
    return std::uniform_int_distribution<std::int64_t>(from, to)(random);
  };
  std::vector<std::string> kernels = {"cpu/bits", "cpu/strided", "cpu/tiles", "cpu/ladder/13_bits_temporal"};
  for (const char* name : {"cuda/strided", "cuda/bits", "cuda/strided_lazy"})
    if (runs_here(name)) kernels.emplace_back(name);
  for (std::int64_t i = 0; i < cases; ++i) {
    const Rule rule =
        number(0, 1) == 0 ? Rule() : numbered_rule(static_cast<unsigned>(number(0, (1 << 18) - 1)));
    StreamedSpec spec;
    spec.world = {rule, number(0, 1) == 0 ? Topology::torus : Topology::plane, number(1, 300),
                  number(1, 200)};
    if (number(0, 2) == 0) spec.world.width = 64 * number(1, 5);
    const std::int64_t height = spec.world.height;
    spec.host_rows = number(0, 1) == 0 ? height : number(1, height);
    spec.bands = number(1, std::min<std::int64_t>(spec.host_rows, 9));
    spec.halo = number(1, spec.host_rows / spec.bands);
    if (spec.host_rows < height) spec.halo = std::min(spec.halo, height - spec.host_rows);
    spec.bands_at_once = static_cast<int>(number(1, 3));
    spec.one_at_a_time = number(0, 3) == 0;
    const std::string kernel = kernels[static_cast<std::size_t>(number(0, std::ssize(kernels) - 1))];
    const Grid start =
        Grid::random(spec.world.width, height, number(0, 2) == 0 ? 0.02 : 0.4, static_cast<std::uint64_t>(i));
    const auto generations =
        static_cast<std::uint64_t>(number(1, 3 * std::min<std::int64_t>(spec.halo, 30) + 9));
    StreamedBoard board(spec, factories_of(kernel, spec.world));
    board.load(start, {});
    board.advance(generations);
    ASSERT_EQ(board.window(spec.world.box()),
              after(start, rule, spec.world.topology, static_cast<int>(generations)))
        << text_of(spec) << ", " << kernel << ", " << generations << " generations, case " << i;
  }
}

// Cells that are written in bands, resident rows and across their borders between two visits.
TEST(StreamedBoard, IsEditedAtItsBorders) {
  for (const Topology topology : {Topology::torus, Topology::plane}) {
    const WorldSpec world = {Rule(), topology, 128, 64};
    const StreamedSpec spec = {world, 40, 2, 8, 2, false};
    for (const char* kernel : {"cpu/strided", "cpu/tiles"}) {
      for (const std::int64_t y : {-2, 0, 13, 18, 19, 20, 37, 39, 40, 60, 63}) {
        Grid expected = Grid::random(128, 64, 0.3, 2);
        const Grid patch = Grid::random(21, 5, 0.5, static_cast<std::uint64_t>(y + 9));
        StreamedBoard board(spec, factories_of(kernel, world));
        board.load(expected, {});
        for (const PasteMode mode : {PasteMode::replace, PasteMode::bitwise_or, PasteMode::bitwise_xor,
                                     PasteMode::bitwise_and_not}) {
          board.advance(3);
          expected = after(expected, Rule(), topology, 3);
          board.write(patch, {50, y}, mode);
          expected.paste(patch, {50, y}, mode);
          ASSERT_EQ(board.window(world.box()), expected) << "at row " << y;
        }
        const Grid before = expected;
        expected = after(expected, Rule(), topology, 1);
        Grid changed = expected;
        changed.paste(before, {}, PasteMode::bitwise_xor);
        EXPECT_EQ(board.advance_comparing(), changed.population());
        ASSERT_EQ(board.window(world.box()), expected) << "at row " << y;
        board.advance(11);
        ASSERT_EQ(board.window(world.box()), after(expected, Rule(), topology, 11)) << "at row " << y;
      }
    }
  }
}

// Single cells and gliders in each row around the borders of bands.
TEST(StreamedBoard, HasCellsAtEachBorder) {
  for (const Topology topology : {Topology::torus, Topology::plane}) {
    const WorldSpec world = {Rule::parse("B1357/S1357"), topology, 70, 48};
    const StreamedSpec spec = {world, 36, 3, 5, 3, false};
    StreamedBoard board(spec, factories_of("cpu/bits", world));
    for (std::int64_t y = 0; y < world.height; ++y) {
      Grid start(70, 48);
      start.set(33, y);
      board.load(start, {});
      board.advance(16);
      ASSERT_EQ(board.window(world.box()), after(start, world.rule, topology, 16)) << "row " << y;
    }
  }
}

// Bands and worlds as low as the halo, and a torus that is a band of itself.
TEST(StreamedBoard, HasBandsAsLowAsItsHalo) {
  struct Case {
    std::int64_t height, host_rows, bands, halo;
  };
  for (const Topology topology : {Topology::torus, Topology::plane}) {
    for (const Case& each : {Case{1, 1, 1, 1},
                             {2, 1, 1, 1},
                             {2, 2, 2, 1},
                             {5, 5, 1, 5},
                             {7, 4, 1, 3},
                             {24, 16, 2, 8},
                             {30, 30, 3, 10},
                             {9, 8, 8, 1},
                             {100, 100, 1, 3}}) {
      const WorldSpec world = {Rule(), topology, 100, each.height};
      const StreamedSpec spec = {world, each.host_rows, each.bands, each.halo, 2, false};
      const Grid start = Grid::random(100, each.height, 0.4, 3);
      StreamedBoard board(spec, factories_of("cpu/strided", world));
      board.load(start, {});
      board.advance(25);
      ASSERT_EQ(board.window(world.box()), after(start, Rule(), topology, 25)) << text_of(spec);
    }
  }
}

// Bands without live cells in and around them are not transferred; cells that arrive there are.
TEST(StreamedBoard, LeavesDeadBandsOnTheHost) {
  const WorldSpec world = {Rule(), Topology::torus, 256, 2048};
  const StreamedSpec spec = {world, 2048, 32, 16, 2, false};
  Grid start(256, 2048), glider(3, 3);
  for (const Position& cell : {Position{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}}) glider.set(cell.x, cell.y);
  start.paste(glider, {100, 640});
  StreamedBoard board(spec, factories_of("cpu/bits", world));
  board.load(start, {});
  const std::uint64_t loaded = board.bytes_moved();
  board.advance(1600);  // 100 visits
  EXPECT_LT(board.bytes_moved() - loaded, 100u * 3 * (2 * 64 + 32) * 32);
  const Box live = {500 % 256, 1040, 3, 3};
  EXPECT_EQ(board.bounding_box(), live);
  EXPECT_EQ(board.window(live), glider);
  EXPECT_EQ(board.population(), 5u);
  // Into a band that was known to be dead
  board.write(glider, {100, 200}, PasteMode::bitwise_or);
  board.advance(400);
  EXPECT_EQ(board.window({200, 300, 3, 3}), glider);
  EXPECT_EQ(board.window({600 % 256, 1140, 3, 3}), glider);
  board.load(glider, {40, 1900});
  board.advance(400);
  EXPECT_EQ(board.window({140, 2000, 3, 3}), glider);
  EXPECT_EQ(board.population(), 5u);
}

// Observers of progress do not make a band's visits shorter.
TEST(StreamedBoard, IsNotVisitedMoreOftenByRunsThatMayEnd) {
  Options options;
  options.kernel = "cpu/bits";
  options.out_of_core = OutOfCore{.host_share = 1.0, .band_rows = 64, .generations_a_visit = 32};
  const Grid start = Grid::random(128, 256, 0.4, 4);
  Simulation simulation(Rule(), Topology::torus, start, options);
  EXPECT_EQ(simulation.step(1000, [] { return false; }), 128u) << "four visits between two questions";
  const std::uint64_t before = SimulationAccess::board(simulation).bytes_moved();
  simulation.step(320, [] { return true; });
  // Each band with its halo is read and written on its way to the board; on its way back it is read, and its
  // outermost rows once more
  const std::uint64_t a_turn = 3 * (256 + 4 * 2 * 32);
  EXPECT_EQ(SimulationAccess::board(simulation).bytes_moved() - before, 10 * a_turn * 16);
  EXPECT_EQ(simulation.grid(), after(start, Rule(), Topology::torus, 448));
}

// A board that fails after some generations.
class FailingBoard final : public Board {
 public:
  FailingBoard(std::unique_ptr<Board> board, std::atomic<int>& left)
      : Board(board->world()), board_(std::move(board)), left_(left) {}
  void load(const Grid& cells, Position at) override { board_->load(cells, at); }
  void write(const ConstGridView& cells, Position at, PasteMode mode) override {
    board_->write(cells, at, mode);
  }
  void read(const Box& box, const GridView& to) const override { board_->read(box, to); }
  void advance(std::uint64_t generations) override {
    if (left_-- <= 0) throw std::runtime_error("the device was lost");
    board_->advance(generations);
  }
  BoardSummary summary(const SummaryParts& parts, Position origin) const override {
    return board_->summary(parts, origin);
  }

 private:
  std::unique_ptr<Board> board_;
  std::atomic<int>& left_;
};

TEST(StreamedBoard, PassesOnTheErrorOfABoard) {
  const WorldSpec world = {Rule(), Topology::torus, 64, 60};
  const Grid start = Grid::random(64, 60, 0.4, 1);
  for (const bool is_resident : {false, true}) {
    std::atomic<int> left = 5;
    StreamedFactories factories = factories_of("cpu/bits", world);
    auto& failing = is_resident ? factories.resident : factories.band;
    failing = [make = failing, &left](const WorldSpec& band) {
      return std::make_unique<FailingBoard>(make(band), left);
    };
    StreamedBoard board({world, 40, 4, 4, 2, false}, factories);
    board.load(start, {});
    EXPECT_THROW(board.advance(100), std::runtime_error);
    left = 1000;
    board.load(start, {});
    board.advance(30);
    EXPECT_EQ(board.window(world.box()), after(start, Rule(), Topology::torus, 30)) << "after the failure";
  }
}

TEST(StreamedBoard, RefusesBandsThatAreTooLow) {
  const WorldSpec world = {Rule(), Topology::torus, 64, 20};
  const auto error_of = [&](std::int64_t host_rows, std::int64_t bands, std::int64_t halo) -> std::string {
    try {
      StreamedBoard({world, host_rows, bands, halo, 1, false}, factories_of("cpu/bits", world));
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_EQ(error_of(20, 4, 5), "");
  EXPECT_EQ(
      error_of(20, 4, 6),
      "a world that is out of core has no halo of 6 rows: bands of 5 rows and 0 resident rows are too low");
  EXPECT_EQ(
      error_of(16, 2, 5),
      "a world that is out of core has no halo of 5 rows: bands of 8 rows and 4 resident rows are too low");
  EXPECT_EQ(error_of(3, 4, 1), "a world that is out of core cannot have 4 bands of 3 rows");
  EXPECT_EQ(error_of(21, 1, 1), "a world that is out of core of 20 rows cannot have 21 on the host");
}

}  // namespace
}  // namespace moorea::test
