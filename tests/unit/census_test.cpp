// SPDX-License-Identifier: MIT
// Censuses of soups, against identify() on each of them.
#include "moorea/census.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "census/soup.h"
#include "census/soup_run.h"
#include "census_cells.h"
#include "definition.h"
#include "moorea/error.h"
#include "moorea/identify.h"
#include "moorea/pattern.h"

namespace moorea {
namespace {

Counts counts_of(const Haul& haul) {
  Counts counts;
  for (const auto& [code, entry] : haul.objects) counts[code] = entry.count;
  return counts;
}

// The same by the search for what a pattern is, which runs the whole plane.
Counts identified(const CensusSpec& spec) {
  Counts counts;
  for (std::uint64_t i = 0; i < spec.soups; ++i) {
    const Identification found =
        identify(soup_pattern(spec.root + std::to_string(spec.first + i), spec.symmetry, spec.rule),
                 IdentifyOptions());
    for (const ObjectCount& object : found.census) counts[object.apgcode] += object.count;
  }
  return counts;
}

TEST(Census, CountsAreThoseOfEachSoup) {
  const CensusSpec spec = census_of(60, 2);
  EXPECT_EQ(counts_of(haul_of(spec)), identified(spec));
  for (const char* symmetry : {"D8_1", "C2_4", "D4_x1"}) {
    const CensusSpec symmetric = census_of(6, 2, symmetry);
    EXPECT_EQ(counts_of(haul_of(symmetric)), identified(symmetric)) << symmetry;
  }
  for (const char* rule : {"HighLife", "B2-a/S12", "B3/S2-i34q", "B3/S2V"}) {
    CensusSpec other = census_of(10, 2);
    other.rule = Rule::parse(rule);
    EXPECT_EQ(counts_of(haul_of(other)), identified(other)) << rule;
  }
}

Counts identified(const CellList& cells) {
  Counts counts;
  for (const ObjectCount& object : identify(pattern_of(cells), IdentifyOptions()).census)
    counts[object.apgcode] += object.count;
  return counts;
}

// A glider and a lightweight spaceship that leave a block, and meet far from it.
CellList meeting_far_away(std::int64_t below) {
  CellList cells = {{-70, -70}, {-69, -70}, {-70, -69}, {-69, -69}, {1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}};
  for (const Position& cell :
       CellList{{1, 0}, {4, 0}, {0, 1}, {0, 2}, {4, 2}, {0, 3}, {1, 3}, {2, 3}, {3, 3}})
    cells.push_back({cell.x + 300, cell.y + below});
  std::sort(cells.begin(), cells.end(), RowOrder());
  return cells;
}

TEST(Census, ShipsThatLeaveMeetOthers) {
  SoupRun run(Rule(), 100'000, {});
  for (const std::int64_t below : {92, 96, 97, 98, 99, 100, 101, 102, 104}) {
    const CellList cells = meeting_far_away(below);
    const Counts found = counts_of(run.run(cells), run.catalogue());
    EXPECT_EQ(found, identified(cells)) << below;
    // Only the first pair misses each other
    EXPECT_EQ(found.count("xq4_6frc"), below == 92 ? 1u : 0u) << below;
  }
}

void add_object(CellList& cells, const CellList& object, const Position& at) {
  for (const Position& cell : object) cells.push_back(cell + at);
}

// The object in the orientation in which it moves to the right, and also downwards if `down`.
CellList ship_to_the_right(const char* apgcode, bool down) {
  SearchContext context{Rule()};
  for (int turn = 0; turn < 8; ++turn) {
    CellList turned;
    for (const Position& cell : object_cells(apgcode)) {
      const Position at = (turn & 1) != 0 ? Position{cell.y, cell.x} : cell;
      turned.push_back({(turn & 2) != 0 ? -at.x : at.x, (turn & 4) != 0 ? -at.y : at.y});
    }
    std::sort(turned.begin(), turned.end(), RowOrder());
    const auto cycle = find_cycle(context, turned, 60);
    if (cycle && cycle->displacement.x > 0 && (cycle->displacement.y > 0) == down) return turned;
  }
  throw Error("it does not move to the right in any orientation");
}

// A lightweight spaceship catches a glider in front of it, or passes it: at any place, and thus also when the
// glider has just left the square. Blocks determine where that is.
TEST(Census, ShipsThatLeaveAreCaughtByFasterOnes) {
  const CellList slow = ship_to_the_right("xq4_153", true), fast = ship_to_the_right("xq4_6frc", false);
  SoupRun run(Rule(), 100'000, {});
  const test::TestPart part = test::test_part();
  std::size_t caught = 0;
  for (const std::int64_t block : {8, 42}) {
    for (std::int64_t behind = 20 + part.first; behind < 90; behind += test::is_sanitized ? 13 : part.step) {
      for (std::int64_t offset = -6; offset < 6; offset += test::is_sanitized ? 3 : 1) {
        const std::int64_t below = behind + offset;  // the glider moves by as many rows as columns
        CellList cells;
        add_object(cells, slow, {0, 0});
        add_object(cells, fast, {-behind, below});
        for (const Position& at : CellList{{-block, -block}, {block, -block}})
          add_object(cells, object_cells("xs4_33"), at);
        std::sort(cells.begin(), cells.end(), RowOrder());
        const Counts expected = identified(cells);
        caught += expected.count("xq4_6frc") == 0 || expected.count("xq4_153") == 0 ? 1 : 0;
        ASSERT_EQ(counts_of(run.run(cells), run.catalogue()), expected)
            << block << ' ' << behind << ' ' << below;
      }
    }
  }
  EXPECT_GT(caught, test::is_sanitized ? 3 : 100 / part.step);
}

// Spaceships of all phases, in the smallest square whose border is as near as it may be.
TEST(Census, ShipsLeaveAtTheBorder) {
  SoupRun run(Rule(), 100'000, {});
  for (const char* const code : {"xq4_153", "xq4_6frc", "xq4_27dee6", "xq4_27deee6"}) {
    for (std::int64_t phase = 0; phase < 8; ++phase) {
      CellList cells;
      add_object(cells, ship_to_the_right(code, std::string(code) == "xq4_153"), {20 + phase, 0});
      for (const Position& at : CellList{{-47, -47}, {46, -47}, {-47, 45}, {46, 45}})
        add_object(cells, object_cells("xs4_33"), at);
      std::sort(cells.begin(), cells.end(), RowOrder());
      ASSERT_EQ(counts_of(run.run(cells), run.catalogue()), (Counts{{code, 1}, {"xs4_33", 4}})) << phase;
    }
  }
}

// In some phases it consists of clusters none of which is periodic alone.
TEST(Census, OscillatorsSettleInAllPhases) {
  SearchContext context{Rule()};
  const std::optional<Cycle> cycle = find_cycle(context, object_cells("xp15_4r4z4r4"), 60);
  ASSERT_TRUE(cycle);
  ASSERT_EQ(cycle->period(), 15u);
  for (const CellList& phase : cycle->phases) {
    int examined = 0;
    SoupRun run(Rule(), 100'000, [&] {
      ++examined;
      return true;
    });
    EXPECT_EQ(counts_of(run.run(phase), run.catalogue()), (Counts{{"xp15_4r4z4r4", 1}}));
    EXPECT_LT(examined, 700);
  }
}

// The limit of generations may be in any of their phases, and a soup at any generation when a square begins.
TEST(Census, LimitsOfGenerationsAreInAllPhases) {
  CellList row;
  for (std::int64_t x = 0; x < 10; ++x) row.push_back({x, 0});
  for (std::uint64_t limit = 30; limit < 90; ++limit) {
    SoupRun run(Rule(), limit, {});
    CellList cells = row;
    for (std::uint64_t begin = 0; begin < 12; ++begin) {
      EXPECT_EQ(counts_of(run.run({row}, {cells, begin}), run.catalogue()), (Counts{{"xp15_4r4z4r4", 1}}))
          << limit << ' ' << begin;
      cells = advance(Rule(), cells);
    }
  }
}

// A lightweight spaceship may be at the border of a square in the generations after the limit.
TEST(Census, LimitsOfGenerationsDoNotDependOnTheSquare) {
  const CellList ship = ship_to_the_right("xq4_6frc", false);
  for (const std::uint64_t limit : {35, 50, 74}) {
    SoupRun run(Rule(), limit, {});
    for (std::int64_t x = 20; x < 76; x += test::is_sanitized ? 8 : 1) {
      CellList cells;
      for (std::int64_t i = 0; i < 10; ++i) cells.push_back({i - 40, 30});
      for (const Position& at : CellList{{-80, -80}, {78, -80}, {-80, 78}, {78, 78}})
        add_object(cells, object_cells("xs4_33"), at);
      add_object(cells, ship, {x, 0});
      std::sort(cells.begin(), cells.end(), RowOrder());
      EXPECT_EQ(counts_of(run.run(cells), run.catalogue()),
                (Counts{{"xp15_4r4z4r4", 1}, {"xs4_33", 4}, {"xq4_6frc", 1}}))
          << limit << ' ' << x;
    }
  }
}

// A spaceship whose box is farther ahead, and farther back, in some of its phases, beside blocks that
// determine the inner part of the smallest square.
TEST(Census, ShipsOfOtherRulesLeaveInAllPhases) {
  const Rule rule = Rule::parse("B35/S136");
  SearchContext context(rule);
  CellList ship;
  for (std::int64_t x = 0; x < 8; ++x) {
    for (std::int64_t y = 0; y < 3; ++y) {
      if (y == 2 || x == 2 || x == 5) ship.push_back({x, y});
    }
  }
  std::sort(ship.begin(), ship.end(), RowOrder());
  const std::optional<Cycle> cycle = find_cycle(context, ship, 60);
  ASSERT_TRUE(cycle);
  ASSERT_EQ(cycle->period(), 12u);
  ASSERT_EQ(cycle->displacement, (Position{0, 1}));
  SoupRun run(rule, 100'000, {});
  const std::int64_t half = 96, ring = 16;  // of the smallest square
  for (const CellList& phase : cycle->phases) {
    const Box box = bounds(phase);
    for (std::int64_t above = ring; above < ring + 8; ++above) {
      CellList cells = translated(phase, {-4 - box.x, half - above - box.bottom()});
      for (const std::int64_t x : {ring - half, half - ring - 2}) {
        for (const std::int64_t y : {ring - half, half - ring - 2})
          add_object(cells, object_cells("xs4_33"), {x, y});
      }
      // As many cells as are not compared at once
      for (std::int64_t x = -80; x < 80; x += 8) add_object(cells, object_cells("xs4_33"), {x, 0});
      std::sort(cells.begin(), cells.end(), RowOrder());
      Pattern pattern = pattern_of(cells);
      pattern.rule = rule.str();
      Counts expected;
      for (const ObjectCount& object : identify(pattern, IdentifyOptions()).census)
        expected[object.apgcode] += object.count;
      ASSERT_EQ(counts_of(run.run(cells), run.catalogue()), expected) << above << ' ' << box.height;
    }
  }
}

TEST(Census, CrowdedSoupsAreThoseOfThePlane) {
  SoupRun run(Rule(), 100'000, {});
  for (const CellList& cells : crowded_soups(14, test::is_sanitized ? 40 : 800))
    ASSERT_EQ(counts_of(run.run(cells), run.catalogue()), identified(cells))
        << format_pattern(pattern_of(cells));
}

// The catalogue forgets clusters again and again.
TEST(Census, ForgottenClustersAreFoundAgain) {
  SoupRun forgetful(Rule(), 100'000, {}, std::make_shared<SharedCatalogue>(50)), run(Rule(), 100'000, {});
  for (const CellList& cells : crowded_soups(15, test::is_sanitized ? 40 : 300))
    ASSERT_EQ(counts_of(forgetful.run(cells), forgetful.catalogue()),
              counts_of(run.run(cells), run.catalogue()));
}

// Clusters of all kinds, of which many have parts that are periodic alone, but not together.
TEST(Census, ObjectsOfClustersAreThoseIdentified) {
  const auto shared = std::make_shared<SharedCatalogue>();
  SoupRun run(Rule(), 100'000, {}, shared);
  for (int soup = 0; soup < (test::is_sanitized ? 100 : 5000); ++soup)
    run.run(soup_cells("clusters" + std::to_string(soup), "C1"));
  std::vector<SharedCluster> known(SharedCatalogue::max_listed);
  known.resize(shared->list(known, 0));
  std::size_t single = 0, several = 0;
  for (const SharedCluster& cluster : known) {
    const std::span<const CountedObject> found = run.catalogue().objects(*cluster);
    const Counts objects = counts_of(SoupObjects(found.begin(), found.end()), run.catalogue());
    ASSERT_EQ(objects, identified(cluster->cycle.phases.front()))
        << format_pattern(pattern_of(cluster->cycle.phases.front()));
    ++(found.size() == 1 && found.front().count == 1 ? single : several);
  }
  EXPECT_GT(single, test::is_sanitized ? 10u : 50u);
  EXPECT_GT(several, test::is_sanitized ? 30u : 1000u);
}

// Each part is periodic alone, but they influence each other before they recur.
TEST(Census, PartsThatInfluenceEachOtherAreOneObject) {
  SearchContext context{Rule::parse("B3/S0124567")};
  Catalogue catalogue(context, std::make_shared<SharedCatalogue>());
  const CellList cells = {{1, 0}, {2, 0}, {0, 2}, {1, 2}, {3, 2}};
  const KnownCluster* const cluster = catalogue.find(cells, bounds(cells), 60);
  ASSERT_NE(cluster, nullptr);
  EXPECT_EQ(cluster->cycle.period(), 2u);
  const std::span<const CountedObject> found = catalogue.objects(*cluster);
  Pattern pattern = pattern_of(cells);
  pattern.rule = "B3/S0124567";
  const Identification whole = identify(pattern, IdentifyOptions());
  Counts expected;
  for (const ObjectCount& object : whole.census) expected[object.apgcode] += object.count;
  EXPECT_EQ(counts_of(SoupObjects(found.begin(), found.end()), catalogue), expected);
}

// Blinkers in a row: the ends of the next phase are two cells nearer to each other.
TEST(Census, ClustersThatTouchLaterHaveNotSettled) {
  SearchContext context{Rule()};
  Catalogue catalogue(context, std::make_shared<SharedCatalogue>());
  for (const std::int64_t apart : {3, 4, 5}) {
    CellList cells;
    for (std::int64_t y = 0; y < 3; ++y) {
      for (const std::int64_t x : {std::int64_t{0}, apart}) cells.push_back({x, y});
    }
    ClusterSearch clusters;
    Assessment assessment;
    const bool has_settled = assessment.assess(
        clusters.find(cells, bounds(cells)), {}, 0,
        [&](std::span<const Position> some, const Box& box) { return catalogue.find(some, box, 60); });
    EXPECT_EQ(has_settled, apart > 3) << apart;
  }
}

// The codes of these objects are published.
TEST(Census, CodesAreDrawn) {
  const auto drawn = [](const char* code) { return format_pattern(apgcode_pattern(code, Rule())); };
  EXPECT_NE(drawn("xs4_33").find("2o$2o!"), std::string::npos);
  EXPECT_NE(drawn("xs6_696").find("bo$obo$obo$bo!"), std::string::npos) << drawn("xs6_696");
  EXPECT_NE(drawn("xp2_7").find("o$o$o!"), std::string::npos);
  for (const char* code : {"xs4_33", "xs6_696", "xp2_7", "xq4_153", "xq4_6frc", "xs12_g8o653z11",
                           "xp3_co9nas0san9oczgoldlo0oldlogz1047210127401"}) {
    const Identification found = identify(apgcode_pattern(code, Rule()), IdentifyOptions());
    ASSERT_EQ(found.census.size(), 1u) << code;
    EXPECT_EQ(found.census[0].apgcode, code);
  }
  for (const char* code : {"", "xs4_", "ys4_33", "xs4_3!", "xs4_3y", "33", "xs4_1", "xsa_33", "xp_7"})
    EXPECT_THROW((void)apgcode_pattern(code, Rule()), Error) << code;
}

// States that have settled, with a glider that is away, and one that has not.
TEST(Census, SettledStatesAreSeenAtOnce) {
  SoupRun run(Rule(), 100'000, {});
  SoupState state{object_cells("xs4_33"), 100, {}};
  for (const Position& cell : object_cells("xp2_7")) state.cells.push_back(cell + Position{20, 20});
  const CellList glider = object_cells("xq4_153");
  const KnownCluster* const known = run.catalogue().find(glider, bounds_of_unsorted(glider), 60);
  ASSERT_NE(known, nullptr);
  state.away.push_back({known->shared_from_this(), {500, -500}, 80});
  const SoupObjects* const objects = run.settled(state);
  ASSERT_NE(objects, nullptr);
  EXPECT_EQ(counts_of(*objects, run.catalogue()), (Counts{{"xs4_33", 1}, {"xp2_7", 1}, {"xq4_153", 1}}));
  // A row of five cells becomes other things first
  for (std::int64_t x = 10; x < 15; ++x) state.cells.push_back({x, 40});
  EXPECT_EQ(run.settled(state), nullptr);
}

}  // namespace
}  // namespace moorea
