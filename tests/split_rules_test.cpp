// SPDX-License-Identifier: MIT
// Worlds of more states, of wide neighbourhoods and of blocks that are divided by rows into parts equal the
// whole.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "boards/row_balance.h"
#include "expect_cells.h"
#include "family_rules.h"
#include "moorea/cells.h"
#include "moorea/error.h"
#include "moorea/pattern.h"
#include "moorea/simulation.h"
#include "rule_kernels.h"
#include "split_case.h"

namespace moorea::test {
namespace {

class EveryFamily : public testing::TestWithParam<std::size_t> {
 protected:
  // Compares the cells and facts of a divided world with those of one board.
  static void expect_equal(const Board& divided, const Board& whole, const std::string& what) {
    const Box all = whole.world().box(), part = {-3, 17, 60, 51};
    ASSERT_EQ(divided.states(all), whole.states(all)) << what;
    EXPECT_EQ(divided.states(part), whole.states(part)) << what;
    const BoardSummary expected = whole.summary(everything, {7, -3}),
                       found = divided.summary(everything, {7, -3});
    EXPECT_EQ(found.population, expected.population) << what;
    EXPECT_EQ(found.hash, expected.hash) << what;
    EXPECT_EQ(found.bounding_box, expected.bounding_box) << what;
    EXPECT_EQ(divided.density(crossing_raster), whole.density(crossing_raster)) << what;
    if (whole.world().rule.blocks() != nullptr) {
      EXPECT_EQ(divided.phase(), whole.phase()) << what;
    }
  }
};

// Noise in the upper or the whole world, or single cells in the rows around the borders between parts.
Cells world_of(const WorldSpec& world, const std::vector<std::int64_t>& heights, std::uint64_t number) {
  Cells cells(world.width, world.height, world.rule.states());
  if (number % 3 != 0) {
    const std::int64_t rows = number % 3 == 1 ? world.height : world.height / 3;
    cells.paste(Cells::random(world.width, rows, 0.4, number, world.rule.states()), {});
    return cells;
  }
  std::int64_t border = 0;
  for (const std::int64_t height : heights) {
    border += height;
    for (std::int64_t i = -4; i < 4; ++i) {
      const std::int64_t y = (border + i + world.height) % world.height, x = (9 * i + 50) % world.width;
      for (const std::int64_t dx : {0, 1, 2}) {
        const auto state = static_cast<int>((number + static_cast<std::uint64_t>(i + dx + 4)) %
                                            static_cast<std::uint64_t>(world.rule.states()));
        cells.set((x + dx) % world.width, y, std::max(state, 1));
      }
    }
  }
  return cells;
}

TEST_P(EveryFamily, IsDividedAsTheWhole) {
  const Rule rule = rules_of_families()[GetParam()];
  const RowUnits units = RowUnits::of(rule);
  std::mt19937 random(static_cast<unsigned>(GetParam()));
  const auto number = [&](std::int64_t from, std::int64_t to) {
    return std::uniform_int_distribution<std::int64_t>(from, to)(random);
  };
  const std::vector<std::string> kernels = kernels_for(rule, GetParam());
  EXPECT_GE(kernels.size(), 2u);
  const int cases = is_sanitized ? 3 : test_everything() ? 200 : 12;
  for (int i = 0; i < cases; ++i) {
    const std::int64_t parts = number(2, 4);
    WorldSpec world = {rule, i % 2 == 0 ? Topology::torus : Topology::plane, 64 * number(1, 4),
                       2 * number(20 * units.reach, 20 * units.reach + 60)};
    if (rule.blocks() == nullptr && number(0, 1) == 0) world.width = number(3, 300);
    // The last row of a plane may be half of a row of blocks
    if (world.topology == Topology::plane && number(0, 1) == 0) --world.height;
    std::vector<double> shares(static_cast<std::size_t>(parts));
    for (double& share : shares) share = static_cast<double>(number(2, 9));
    const std::vector<std::int64_t> heights = divide_rows(world.height, shares, units);
    const std::int64_t halo =
        units.halo_for(number(1, std::min<std::int64_t>(std::ranges::min(heights) / units.reach, 20)));
    std::vector<SplitPart> split;
    std::string what = rule.str() + ", " + world.str() + ", halo " + std::to_string(halo);
    bool has_opencl = false;  // an OpenCL device has one part at most
    for (const std::int64_t rows : heights) {
      std::string kernel;
      do {
        kernel = kernels[static_cast<std::size_t>(number(0, std::ssize(kernels) - 1))];
      } while (!takes(kernel, {world.width, rows}) || (has_opencl && kernel.starts_with("opencl/")));
      has_opencl = has_opencl || kernel.starts_with("opencl/");
      split.push_back({rows, boards_of(kernel, world)});
      what += ", " + kernel + " " + std::to_string(rows);
    }
    SplitBoard divided(world, halo, split);
    const std::unique_ptr<Board> whole = boards_of("", world)(world);
    const Cells start = world_of(world, heights, static_cast<std::uint64_t>(i));
    for (Board* board : {static_cast<Board*>(&divided), whole.get()}) {
      board->load_states(start, {});
      board->set_phase(i % 4 == 3);
    }
    const auto advance = [&](std::int64_t most) {
      const auto generations = static_cast<std::uint64_t>(number(1, most));
      divided.advance(generations);
      whole->advance(generations);
      expect_equal(divided, *whole, what + ", case " + std::to_string(i));
    };
    advance(30);
    if (HasFatalFailure()) return;
    const Position at = {number(-5, 20), heights[0] - 3};
    const Cells patch = Cells::random(20, 7, 0.5, static_cast<std::uint64_t>(i), rule.states());
    const Grid live = Grid::random(9, 5, 0.5, static_cast<std::uint64_t>(i));
    for (Board* board : {static_cast<Board*>(&divided), whole.get()}) {
      board->write_states(patch, at);
      board->write(live.view(), at, PasteMode::bitwise_xor);
    }
    advance(9);
    if (HasFatalFailure()) return;
    // Rows move, with a part as low as the halo
    std::vector<std::int64_t> moved(heights.size(), halo);
    moved.back() += world.height % units.multiple;
    moved[0] = world.height - world.height % units.multiple - halo * (parts - 1);
    divided.move_rows(moved);
    EXPECT_EQ(divided.advance_comparing(), whole->advance_comparing()) << what;
    advance(12);
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Table, EveryFamily, testing::Range<std::size_t>(0, rules_of_families().size()));

// Turns that are left out because they repeat, and empty worlds, have the cells that would have been
// computed.
TEST(SplitBoard, LeavesOutTurnsOfOtherRules) {
  for (const char* name : {"LifeHistory", "Critters", "WireWorld", "Bosco's Rule"}) {
    const Rule rule = Rule::parse(name);
    const WorldSpec world = {rule, Topology::torus, 64, 300};
    const RowUnits units = RowUnits::of(rule);
    const std::vector<std::int64_t> heights = {100, 100, 100};
    SplitBoard divided(world, units.halo_for(12), parts_of(world, heights, {""}));
    const std::unique_ptr<Board> whole = boards_of("", world)(world);
    Cells start(64, 300, rule.states());
    start.paste(Cells::random(20, 20, 0.4, 3, rule.states()), {22, 40});
    for (Board* board : {static_cast<Board*>(&divided), whole.get()}) board->load_states(start, {});
    for (const std::uint64_t generations : {20'000, 10'001, 9'999}) {
      divided.advance(generations);
      whole->advance(generations);
      ASSERT_EQ(divided.states(world.box()), whole->states(world.box())) << name;
      if (rule.blocks() != nullptr) {
        EXPECT_EQ(divided.phase(), whole->phase()) << name;
      }
    }
  }
}

// An empty world is not computed, and its blocks are those of the generation nevertheless.
TEST(SplitBoard, KnowsThePhaseOfAnEmptyWorld) {
  const WorldSpec world = {Rule::parse("BBM"), Topology::torus, 64, 64};
  SplitBoard divided(world, 4, parts_of(world, {32, 32}, {""}));
  const std::unique_ptr<Board> whole = boards_of("", world)(world);
  const Cells noise = Cells::random(64, 64, 0.4, 1, 2);
  for (const std::uint64_t generations : {5001, 6000, 4999}) {
    for (Board* board : {static_cast<Board*>(&divided), whole.get()}) {
      board->load(Grid(64, 64), {});
      board->advance(generations);
      board->load_states(noise, {});
      board->advance(1);
    }
    EXPECT_EQ(divided.states(world.box()), whole->states(world.box())) << generations;
  }
}

TEST(SplitBoard, RefusesRowsThatDivideBlocks) {
  const WorldSpec blocks = {Rule::parse("Critters"), Topology::torus, 64, 40};
  const WorldSpec wide = {Rule::parse("R5,C0,M1,S34..58,B34..45,NM"), Topology::torus, 64, 40};
  const auto text_of = [](const WorldSpec& world, std::int64_t halo,
                          const std::vector<std::int64_t>& heights) -> std::string {
    try {
      SplitBoard(world, halo, parts_of(world, heights, {""}));
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  };
  const std::string even =
      "parts of a world under a rule of blocks begin at even rows, and have an even halo";
  EXPECT_EQ(text_of(blocks, 4, {20, 20}), "");
  EXPECT_EQ(text_of(blocks, 4, {21, 19}), even);
  EXPECT_EQ(text_of(blocks, 3, {20, 20}), even);
  EXPECT_EQ(text_of(wide, 5, {21, 19}), "");
  EXPECT_EQ(text_of(wide, 4, {21, 19}), "a band has a halo of at least as many rows as cells reach, 5");
}

TEST(BandBoard, IsExactForTheGenerationsThatItsHaloReaches) {
  const Rule rule = Rule::parse("R5,C0,M1,S34..58,B34..45,NM");
  const WorldSpec world = {rule, Topology::torus, 64, 20};
  BandBoard band({world, {Edge::wrap, Edge::wrap, Edge::external, Edge::external}, 12}, boards_of("", world));
  band.load_states(Cells::random(64, 20, 0.4, 1, 2), {});
  EXPECT_EQ(band.exact_generations(), 0u);
  band.halo_filled();
  EXPECT_EQ(band.exact_generations(), 2u);
  EXPECT_THROW(band.advance(3), std::logic_error);
}

TEST(Devices, HaveWorldsOfAllFamilies) {
  for (const Rule& rule : rules_of_families()) {
    for (const Topology topology : {Topology::torus, Topology::plane}) {
      const WorldSpec world = {rule, topology, 128, 170};
      const Cells start = Cells::random(128, 170, 0.4, 8, rule.states());
      Options three;
      three.device = "cpu,cpu,cpu";
      three.shares = {1, 2, 4};
      Simulation divided(world, start, three), whole(world, start);
      EXPECT_EQ(divided.parts().size(), 3u);
      divided.step(40);
      whole.step(40);
      EXPECT_EQ(divided.states(world.box()), whole.states(world.box())) << rule.str();
      if (rule.blocks() == nullptr || topology == Topology::plane) continue;
      divided.step_back(31);
      whole.step_back(31);
      EXPECT_EQ(divided.states(world.box()), whole.states(world.box())) << rule.str();
    }
  }
}

// A plane that grows while it is divided.
TEST(Devices, HaveGrowingPlanesOfAllFamilies) {
  for (const Rule& rule : rules_of_families()) {
    if (rule.births_from_nothing()) continue;
    Pattern start;
    start.states = Cells::random(40, 30, 0.4, 8, rule.states());
    start.cells = start.states->live();
    Options two;
    two.device = "cpu,cpu";
    Simulation divided = Simulation::unbounded(rule, start, two), whole = Simulation::unbounded(rule, start);
    divided.step(150);
    whole.step(150);
    const std::optional<Box> live = whole.bounding_box();
    ASSERT_EQ(divided.bounding_box(), live) << rule.str();
    if (live) {
      EXPECT_EQ(divided.states(*live), whole.states(*live)) << rule.str();
    }
  }
}

}  // namespace
}  // namespace moorea::test
