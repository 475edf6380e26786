// SPDX-License-Identifier: MIT
// Periods of whole worlds: published ones, and those that a list of all states shows.
#include "moorea/period.h"

#include <gtest/gtest.h>

#include <map>

#include "moorea/identify.h"
#include "moorea/pattern.h"
#include "moorea/simulation.h"

namespace moorea {
namespace {

Pattern drawn_pattern(const std::string& picture) { return parse_pattern("!\n" + picture, "picture.cells"); }

Options one_thread() {
  Options options;
  options.device = "cpu";
  options.threads = 1;
  return options;
}

std::optional<WorldPeriod> period_of(const std::string& picture, const std::string& rule = "B3/S23") {
  Simulation world = Simulation::of(drawn_pattern(picture), WorldSpec::parse(rule), one_thread());
  return find_period(world);
}

// By the definition: the first state that there has been before.
WorldPeriod listed_period(Simulation& world) {
  std::map<std::vector<std::uint64_t>, std::uint64_t> seen;
  while (true) {
    const Grid cells = world.grid();
    std::vector<std::uint64_t> state;
    for (std::int64_t y = 0; y < cells.height(); ++y) {
      const std::uint64_t* const row = cells.row(y);
      state.insert(state.end(), row, row + cells.words_per_row());
    }
    const auto [first, is_new] = seen.emplace(std::move(state), world.generation());
    if (!is_new) return {first->second, world.generation() - first->second, {}};
    world.step();
  }
}

TEST(Period, OfWorldsEqualsTheListOfAllStates) {
  // Tori, a plane, and rules with B0 under which the whole world alternates
  const std::string rules[] = {
      "B3/S23:T16,12", "B3/S23:P20,17", "B36/S23:T11,13", "B0123478/S01234678:T12,12",
      "B2/S:T8,7",     "B3/S23:T65,5",  "B0/S8:T9,9",     "B1357/S02468:T8,8"};
  std::uint64_t longest = 0, latest = 0;
  for (const std::string& rule : rules) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      const WorldSpec spec = WorldSpec::parse(rule);
      Simulation world(spec, Grid::random(spec.width, spec.height, 0.4, seed), one_thread());
      world.set_generation(100);
      const std::uint64_t hash = world.hash();
      const std::optional<WorldPeriod> found = find_period(world);
      ASSERT_TRUE(found) << rule;
      ASSERT_EQ(world.hash(), hash) << rule;
      ASSERT_EQ(world.generation(), 100) << rule;
      const WorldPeriod expected = listed_period(world);
      EXPECT_EQ(found->generation, expected.generation) << rule << " seed " << seed;
      EXPECT_EQ(found->period, expected.period) << rule << " seed " << seed;
      longest = std::max(longest, found->period);
      latest = std::max(latest, found->generation - 100);
    }
  }
  EXPECT_GT(longest, 20u);
  EXPECT_GT(latest, 200u);
}

TEST(Period, OfAGliderOnATorusIsFourTimesItsSide) {
  // A cell in four generations, on the diagonal
  for (const std::int64_t side : {5, 16, 100}) {
    const std::string rule = "B3/S23:T" + std::to_string(side);
    const std::optional<WorldPeriod> found = period_of(".O\n..O\nOOO\n", rule);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->generation, 0u);
    EXPECT_EQ(found->period, static_cast<std::uint64_t>(4 * side));
  }
}

TEST(Period, OfPlanesIsThatOfAllObjectsTogether) {
  const auto expect = [](const std::string& picture, std::uint64_t generation, std::uint64_t period,
                         Position displacement) {
    const std::optional<WorldPeriod> found = period_of(picture);
    ASSERT_TRUE(found) << picture;
    EXPECT_EQ(found->generation, generation) << picture;
    EXPECT_EQ(found->period, period) << picture;
    EXPECT_EQ(found->displacement, displacement) << picture;
  };
  expect("OO\nOO\n", 0, 1, {});
  expect(".O\n..O\nOOO\n", 0, 4, {1, 1});
  // Two gliders in a row, two generations apart: the second is the first's mirror image
  expect(".O.........\n..O........\nOOO........\n\n\n\n.......O\n........O\n......OOO\n", 0, 4, {1, 1});
  // Blinkers and a pulsar: 2 and 3
  expect(
      "OOO.........................\n\n\n\n\n........OOO...OOO\n\n......O....O.O....O\n......O....O.O....O\n"
      "......O....O.O....O\n........OOO...OOO\n\n........OOO...OOO\n......O....O.O....O\n......O....O.O...."
      "O\n"
      "......O....O.O....O\n\n........OOO...OOO\n",
      0, 6, {});
  // Three cells die in two generations, and stay dead
  expect("O\n.\n.O\n", 1, 1, {});
  // A glider that leaves a block never comes back
  EXPECT_FALSE(period_of("OO.......\nOO.......\n.\n.\n.\n......O\n.......O\n.....OOO\n"));
}

TEST(Period, IsNotFoundBeyondItsLimits) {
  PeriodOptions options;
  Simulation glider =
      Simulation::of(drawn_pattern(".O\n..O\nOOO\n"), WorldSpec::parse("B3/S23:T40"), one_thread());
  options.max_generations = 0;
  options.max_period = 160;
  ASSERT_TRUE(find_period(glider, options));
  options.max_period = 159;
  EXPECT_FALSE(find_period(glider, options));
  options.max_generations = 160;  // as the population says that it recurs
  EXPECT_TRUE(find_period(glider, options));

  // The r-pentomino settles in generation 1103 on the plane
  options = PeriodOptions();
  Simulation world =
      Simulation::of(drawn_pattern(".OO\nOO\n.O\n"), WorldSpec::parse("B3/S23:P600"), one_thread());
  const std::optional<WorldPeriod> found = find_period(world);
  ASSERT_TRUE(found);
  options.max_generations = found->generation;
  EXPECT_TRUE(find_period(world, options));
  options.max_generations = found->generation - 1;
  EXPECT_FALSE(find_period(world, options));

  options = PeriodOptions();
  options.go_on = [] { return false; };
  EXPECT_FALSE(find_period(world, options));
  EXPECT_EQ(world.generation(), 0u);
}

TEST(Period, AShortLimitFindsPeriodsUpToIt) {
  const std::pair<std::uint64_t, const char*> objects[] = {
      {1, "2o$2o!"},
      {2, "3o!"},
      {3,
       "2b3o3b3o2$o4bobo4bo$o4bobo4bo$o4bobo4bo$2b3o3b3o2$2b3o3b3o$o4bobo4bo$o4bobo4bo$o4bobo4bo2$2b3o3b3o!"},
      {4, "bo$2bo$3o!"}};
  for (const auto& [period, cells] : objects) {
    const Pattern pattern = parse_pattern(std::string("x = 13, y = 13\n") + cells, "test");
    for (const std::uint64_t generations : {1, 50, 1000, 5000}) {
      for (std::uint64_t longest = 1; longest < 8; ++longest) {
        Simulation plane = Simulation::unbounded(Rule(), pattern, one_thread());
        const auto found = find_period(plane, {generations, longest, {}});
        ASSERT_EQ(found ? found->period : 0, longest < period ? 0 : period) << generations << " " << longest;
      }
    }
  }
}

TEST(Period, LimitsOfASearchForSettlingSuffice) {
  Pattern pattern = drawn_pattern(".OO\nOO\n.O\n");
  EXPECT_EQ(identify(pattern, settling_within(1103, 60)).settled, 1103u);
}

}  // namespace
}  // namespace moorea
