// SPDX-License-Identifier: MIT
// Patterns that grow for ever: recurrences of their populations, guns and puffers among what the start has
// left, and streams that pass each other.
#include <gtest/gtest.h>

#include <algorithm>

#include "moorea/identify.h"
#include "moorea/simulation.h"
#include "object_cells.h"
#include "objects/growth.h"
#include "objects/recurrence.h"
#include "objects/separate.h"

namespace moorea {
namespace {

const CellList glider = {{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}};  // to the lower right

// Of a gun whose spaceships alternate between 9 and 12 live cells, one every `period` generations.
std::vector<std::uint64_t> populations_of_a_gun(std::size_t period, std::size_t generations) {
  std::vector<std::uint64_t> populations;
  for (std::size_t g = 0; g < generations; ++g) {
    std::uint64_t population = 30 + g % period % 3;
    for (std::size_t age = g % period; age <= g; age += period) population += age % 2 == 0 ? 9 : 12;
    populations.push_back(population);
  }
  return populations;
}

TEST(Growth, VariesWithThePhasesOfSpaceships) {
  const std::vector<std::uint64_t> even = populations_of_a_gun(46, 1000);
  EXPECT_FALSE(find_recurrence(even));
  const std::optional<Recurrence> found = find_varying_growth(even, 1000);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->period, 46u);
  EXPECT_EQ(found->growth, static_cast<std::int64_t>(even[999] - even[999 - 46]));
  // Two spaceships of an odd period are in both phases, which are together of the same population
  const std::optional<Recurrence> odd = find_recurrence(populations_of_a_gun(45, 1000));
  ASSERT_TRUE(odd);
  EXPECT_EQ(odd->period, 90u);
  EXPECT_EQ(odd->growth, 21);
  EXPECT_FALSE(find_varying_growth(even, 45));
  EXPECT_FALSE(find_varying_growth(populations_of_a_gun(46, 137), 137)) << "less than three periods";
  std::vector<std::uint64_t> shrinking = even;
  std::reverse(shrinking.begin(), shrinking.end());
  EXPECT_FALSE(find_varying_growth(shrinking, 1000));
  std::vector<std::uint64_t> disturbed = even;
  ++disturbed[500];
  EXPECT_FALSE(find_varying_growth(disturbed, 1000));
}

CellList cells_after(const char* file, std::uint64_t generations) {
  const Pattern pattern = read_pattern(std::string(MOOREA_SOURCE_DIR "/patterns/") + file);
  Simulation plane = Simulation::unbounded(Rule(), pattern, {});
  plane.step(generations);
  CellList cells;
  plane.for_each_live(plane.bounding_box().value(), [&](Position at) { cells.push_back(at); });
  return cells;
}

CellList joined(CellList cells, const CellList& others) {
  cells.insert(cells.end(), others.begin(), others.end());
  std::sort(cells.begin(), cells.end(), RowOrder());
  return cells;
}

std::optional<WholeGrowth> whole_growth(SearchContext& context, const CellList& cells,
                                        std::uint64_t generations) {
  Separation separation(context, cells);
  const std::optional<SettledWorld> world = settled_world(context, separation, {generations, 5000, 0});
  return world ? find_whole_growth(context, *world, generations) : std::nullopt;
}

TEST(Growth, AGunAmongWhatIsNotPartOfIt) {
  const Rule life;
  SearchContext context(life);
  const CellList gun = cells_after("gosper-glider-gun.rle", 600), block = object_cells("xs4_33"),
                 blinker = object_cells("xp2_7");
  // A glider is not there again, block and blinker are
  const CellList cells =
      joined(joined(joined(gun, translated(glider, {-200, 30})), translated(block, {-60, -40})),
             translated(blinker, {60, -60}));
  for (const std::uint64_t generations : {30, 60, 120}) {
    const std::optional<WholeGrowth> found = whole_growth(context, cells, generations);
    ASSERT_TRUE(found) << generations;
    EXPECT_EQ(found->growth.period, 30u);
    EXPECT_EQ(found->growth.displacement, Position());
    EXPECT_EQ(found->growth.gain, 5u);
    ASSERT_EQ(found->growth.emitted.size(), 1u);
    EXPECT_TRUE(found->growth.emitted[0].moves());
    EXPECT_EQ(found->core.size(), cells.size() - glider.size()) << generations;
  }
  EXPECT_FALSE(whole_growth(context, cells, 31));
  EXPECT_FALSE(whole_growth(context, joined(glider, translated(block, {-60, -40})), 4));
}

TEST(Growth, APufferAmongWhatTheStartHasLeft) {
  const Rule life;
  SearchContext context(life);
  const CellList cells = cells_after("five-by-five-growth.rle", 4000);
  const std::optional<WholeGrowth> found = whole_growth(context, cells, 288);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->growth.period, 288u);
  EXPECT_EQ(found->growth.displacement, (Position{-24, -24}));
  EXPECT_EQ(found->growth.gain, 32u);
  EXPECT_EQ(found->growth.emitted.size(), 8u);
  EXPECT_LT(found->core.size(), cells.size());
}

TEST(Growth, AnOscillatorOfCellsThatTakeEachOthersPlaces) {
  const Rule life;
  SearchContext context(life);
  // A gun whose stream ends in an eater, far enough for several gliders, and a blinker elsewhere
  EXPECT_FALSE(recurring_world(context, cells_after("gosper-glider-gun.rle", 600), 30));
  int ended = 0;
  for (int turn = 0; turn < 8; ++turn) {
    CellList eater;
    for (const Position& cell : object_cells("xs7_178c")) {
      Position at = {turn & 1 ? 3 - cell.x : cell.x, turn & 2 ? 3 - cell.y : cell.y};
      if (turn & 4) std::swap(at.x, at.y);
      eater.push_back(at);
    }
    std::sort(eater.begin(), eater.end(), RowOrder());
    for (std::int64_t x = 78; x < 104; ++x) {
      Simulation plane = Simulation::unbounded(
          life,
          pattern_of(joined(joined(cells_after("gosper-glider-gun.rle", 0), translated(eater, {x, 84})),
                            translated(object_cells("xp2_7"), {-60, -60}))),
          {});
      plane.step(900);
      CellList cells;
      plane.for_each_live(plane.bounding_box().value(), [&](Position at) { cells.push_back(at); });
      const std::optional<SettledWorld> world = recurring_world(context, cells, 30);
      if (!world) continue;
      ++ended;
      EXPECT_EQ(world->at(0), cells);
      ASSERT_EQ(world->objects.size(), 2u);
      EXPECT_EQ(world->objects[0].period() + world->objects[1].period(), 32u);
    }
  }
  EXPECT_GT(ended, 0);
}

std::uint64_t population_after(const CellList& cells, std::uint64_t generations) {
  Simulation plane = Simulation::unbounded(Rule(), pattern_of(cells), {});
  plane.step(generations);
  return plane.population();
}

// Whether the pattern is claimed to grow for ever. If so, it does as it is claimed, later as well.
bool grows(const CellList& cells, const std::string& what) {
  const Identification found = identify(pattern_of(cells));
  std::uint64_t gain = 0;
  for (const ObjectCount& object : found.census) gain += object.count * object.population;
  const bool grows = found.kind == PatternKind::gun || found.kind == PatternKind::puffer;
  if (!grows) gain = 0;
  EXPECT_NE(found.kind, PatternKind::unknown) << what;
  // Four periods, so that gliders are in the same phase
  const std::uint64_t periods = grows ? 4 * found.period : 4, from = found.searched + 3'000;
  EXPECT_EQ(population_after(cells, from + periods) - population_after(cells, from), 4 * gain) << what;
  return grows;
}

TEST(Identify, WhatGrowsForAWhile) {
  const CellList gun = cells_after("gosper-glider-gun.rle", 0),
                 engine = cells_after("five-by-five-growth.rle", 0), block = object_cells("xs4_33");
  CellList facing;
  for (const Position& cell : gun) facing.push_back({-cell.x, cell.y});
  std::sort(facing.begin(), facing.end(), RowOrder());
  int growing = 0, ending = 0;
  const auto count = [&](const CellList& cells, const std::string& what) {
    ++(grows(cells, what) ? growing : ending);
  };
  for (const std::int64_t place : {80, 160}) {
    count(joined(gun, translated(facing, {place, 10})), "two guns at " + std::to_string(place));
    count(joined(gun, translated(facing, {-place, 10})), "two guns back to back at " + std::to_string(place));
    count(joined(engine, translated(block, {-place, -place})),
          "an engine and a block at " + std::to_string(place));
    for (std::int64_t aside = -24; aside <= 24; aside += 12) {
      const std::string at = std::to_string(place) + " and " + std::to_string(aside);
      count(joined(gun, translated(glider, {aside - place, -place})), "a gun and a glider at " + at);
      count(joined(gun, translated(block, {place + aside, place})), "a gun and a block at " + at);
    }
  }
  EXPECT_GT(growing, 5);
  EXPECT_GT(ending, 5);
}

TEST(Identify, RulesThatDoNotCount) {
  // A cell moves to the south east under this rule of one orientation, and has no apgcode
  Rule::Table table{};
  table[256 / 64] |= std::uint64_t{1} << 256 % 64;
  Pattern cell = pattern_of({{0, 0}});
  cell.rule = Rule(table).str();
  EXPECT_FALSE(Rule(table).is_isotropic());
  Identification found = identify(cell);
  EXPECT_EQ(found.kind, PatternKind::object);
  EXPECT_EQ(found.period, 1u);
  EXPECT_EQ(found.displacement, (Position{1, 1}));
  EXPECT_EQ(found.apgcode, "");
  // Life's glider flies under these, too
  for (const char* rule : {"B3/S2-i34q", "B36/S2-i34q"}) {
    EXPECT_TRUE(Rule::parse(rule).is_isotropic());
    Pattern flying = pattern_of(glider);
    flying.rule = rule;
    found = identify(flying);
    EXPECT_EQ(found.apgcode, "xq4_153") << rule;
    EXPECT_EQ(found.name, "");
  }
  EXPECT_TRUE(Rule().is_isotropic());
  EXPECT_TRUE(Rule::parse("B2/S013V").is_isotropic());
  EXPECT_FALSE(Rule::parse("B2/S34H").is_isotropic());
}

TEST(Identify, OscillatorsWithoutACommonPeriod) {
  // Periods 8, 15 and 3: together 120
  const CellList cells =
      joined(joined(cells_after("kok-galaxy.rle", 0), translated(cells_after("pulsar.rle", 0), {100, 0})),
             translated(cells_after("pentadecathlon.rle", 0), {0, 100}));
  IdentifyOptions options;
  for (const std::uint64_t max_period : {200, 100}) {
    options.max_period = max_period;
    const Identification found = identify(pattern_of(cells), options);
    EXPECT_EQ(found.kind, PatternKind::objects) << max_period;
    EXPECT_EQ(found.settled, 0u);
    EXPECT_EQ(found.period, 120u);
    EXPECT_EQ(found.census.size(), 3u);
  }
  // Near each other they have to be seen for 120 generations
  int unknown = 0;
  for (std::int64_t x = 16; x < 24; ++x) {
    const CellList near =
        joined(cells_after("kok-galaxy.rle", 0), translated(cells_after("pentadecathlon.rle", 0), {x, 0}));
    unknown += identify(pattern_of(near), options).kind == PatternKind::unknown ? 1 : 0;
  }
  EXPECT_GT(unknown, 0);
}

TEST(Identify, SpaceshipsThatPassEachOther) {
  const Rule life;
  CellList back;
  for (const Position& cell : glider) back.push_back({-cell.x, -cell.y});
  std::sort(back.begin(), back.end(), RowOrder());
  int passes = 0, collisions = 0;
  for (std::int64_t lane = -12; lane <= 12; ++lane) {
    CellList one = glider, other = translated(back, {100 + lane, 100}), both = joined(one, other);
    CellList now = both;
    for (int g = 0; g < 500; ++g) {
      one = advance(life, one);
      other = advance(life, other);
      now = advance(life, now);
    }
    const bool pass = now == joined(one, other);
    (pass ? passes : collisions) += 1;
    const Identification found = identify(pattern_of(both));
    EXPECT_EQ(found.kind == PatternKind::objects, pass) << lane;
    EXPECT_EQ(found.settled == 0, pass) << lane;
  }
  EXPECT_GT(passes, 5);
  EXPECT_GT(collisions, 5);
}

}  // namespace
}  // namespace moorea
