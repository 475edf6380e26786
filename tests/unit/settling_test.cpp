// SPDX-License-Identifier: MIT
// When patterns settle whose objects influence each other and become the same again.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "moorea/identify.h"
#include "moorea/pattern.h"
#include "objects/cells.h"
#include "objects/search_context.h"
#include "objects/separate.h"
#include "objects/settled.h"

namespace moorea {
namespace {

// The first generation from which on the cells are those of objects that never influence each other, by all
// generations: up to the last one of `generations`, at which they are.
std::uint64_t settled_of(const Rule& rule, const std::vector<CellList>& generations) {
  SearchContext context(rule);
  Separation separation(context, generations.back());
  const auto world = settled_world(context, separation, {120, 5000});
  EXPECT_TRUE(world && world->others.empty());
  std::uint64_t settled = generations.size() - 1;
  for (std::int64_t ago = 0; settled > 0 && world->at(-ago - 1) == generations[settled - 1]; ++ago) --settled;
  return settled;
}

struct Case {
  const char *what, *rle;
  std::uint64_t settled;
};

TEST(Settling, ObjectsMayBecomeTheSameAgain) {
  const Case cases[] = {
      {"a middleweight spaceship and a pentadecathlon",
       "x = 25, y = 14, rule = B3/S23\n2bo4bo$2ob4ob2o$2bo4bo7$19b5o$19bo4bo$19bo$20bo3bo$22bo!", 36},
      {"the same, 120 generations before",
       "x = 85, y = 14, rule = B3/S23\n2bo4bo$2ob4ob2o$2bo4bo7$79b5o$79bo4bo$79bo$80bo3bo$82bo!", 156},
      {"a heavyweight spaceship and a pulsar",
       "x = 15, y = 21, rule = "
       "B3/S23\n4bo5bo$4bo5bo$4b2o3b2o2$3o2b2ob2o2b3o$2bobobobobobo$4b2o3b2o2$4b2o3b2o$"
       "2bobobobobobo$3o2b2ob2o2b3o2$4b2o3b2o$4bo5bo$4bo5bo2$3b2o$bo4bo$o$o5bo$6o!",
       2},
      {"a heavyweight spaceship and a pentadecathlon, three times",
       "x = 18, y = 24, rule = B3/S23\nbo$obo3$3o$3o$bo3$bo$3o$3o3$obo$bo4$11b6o$11bo5bo$11bo$12bo4bo$14b2o!",
       33},
      {"a lightweight spaceship and a pentadecathlon",
       "x = 27, y = 10, rule = B3/S23\n4bobo2bobo$2obo2bo2bo2bob2o$4bobo2bobo4$23bo2bo$22bo$22bo3bo$22b4o!",
       37},
      {"two spaceships of B25/S4", "x = 2, y = 3, rule = B25/S4\no$$bo!", 6},
      {"two spaceships of B25/S3", "x = 2, y = 4, rule = B25/S3\no$2o$2o$o!", 6},
      {"a pulsar and a glider that flies away",
       "x = 20, y = 20, rule = B3/S23\n2b3o3b3o2$o4bobo4bo$o4bobo4bo$o4bobo4bo$2b3o3b3o2$"
       "2b3o3b3o$o4bobo4bo$o4bobo4bo$o4bobo4bo2$2b3o3b3o4$17bo$18bo$16b3o!",
       0},
  };
  for (const Case& each : cases) {
    const Pattern pattern = parse_pattern(each.rle, each.what);
    const Rule rule = Rule::parse(pattern.rule);
    CellList cells;
    for (std::int64_t y = 0; y < pattern.cells.height(); ++y)
      for (std::int64_t x = 0; x < pattern.cells.width(); ++x)
        if (pattern.cells.alive(x, y)) cells.push_back({x, y});
    std::vector<CellList> generations = {cells};
    for (std::uint64_t g = 0; g < each.settled + 60; ++g)
      generations.push_back(advance(rule, generations.back()));
    EXPECT_EQ(settled_of(rule, generations), each.settled) << each.what;
    const Identification found = identify(pattern);
    EXPECT_EQ(found.settled, each.settled) << each.what;
    EXPECT_EQ(found.population, generations[each.settled].size()) << each.what;
    EXPECT_EQ(found.kind == PatternKind::objects, each.settled == 0) << each.what;
  }
}

// A glider beside a long still life, in its bounding box, is near it in all generations: what has been found
// must not be lost to the work of comparing them.
TEST(Settling, LargeObjectsThatAreNear) {
  CellList cells;
  constexpr std::int64_t length = 4000;
  for (std::int64_t i = 0; i < length; ++i) cells.insert(cells.end(), {{i, i + 1}, {i + 1, i}});  // a barge
  const auto add = [&](const char* rle, const Position& at) {
    const Grid drawn = parse_pattern(rle, "a part").cells;
    for (std::int64_t y = 0; y < drawn.height(); ++y)
      for (std::int64_t x = 0; x < drawn.width(); ++x)
        if (drawn.alive(x, y)) cells.push_back(at + Position{x, y});
  };
  add("x = 3, y = 3\nbo$2bo$3o!", {40, 10});
  add("x = 7, y = 3\nbo5b$3bo3b$2o2b3o!", {3 * length, 0});  // an acorn
  std::sort(cells.begin(), cells.end(), RowOrder());
  const Identification found = identify(pattern_of(cells));
  EXPECT_EQ(found.settled, 5206u);
}

}  // namespace
}  // namespace moorea
