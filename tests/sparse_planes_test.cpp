// SPDX-License-Identifier: MIT
// Unbounded planes of a simulation that alternate between tiles and the dense plane, cells far apart, and the
// pool of the tiles.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "boards/tile_pool.h"
#include "moorea/lab/instruments.h"
#include "moorea/pattern.h"
#include "moorea/simulation.h"

namespace moorea::test {
namespace {

// A table of places equals a map, whatever was removed.
TEST(TilePool, FindsWhatIsThere) {
  std::mt19937_64 random(7);
  TilePool pool;
  std::map<std::pair<std::int64_t, std::int64_t>, SparseTile*> expected;
  for (int i = 0; i < 20'000; ++i) {
    const std::int64_t side = i < 10'000 ? 60 : 12;  // fills, then empties
    const TilePlace place = {static_cast<std::int64_t>(random() % 60) - 30,
                             static_cast<std::int64_t>(random() % 60) - 30};
    SparseTile* const found = pool.find(place);
    const auto known = expected.find({place.column, place.row});
    ASSERT_EQ(found, known == expected.end() ? nullptr : known->second);
    if (found == nullptr && static_cast<std::int64_t>(random() % 60) < side) {
      expected[{place.column, place.row}] = &pool.make(place);
    } else if (found != nullptr) {
      for (unsigned direction = 0; direction < tile_directions; ++direction) {
        if (direction == itself) continue;
        ASSERT_EQ(found->near[direction], pool.find(neighbour_of(place, direction)));
      }
      pool.remove(*found);
      expected.erase(known);
    }
    ASSERT_EQ(pool.tiles(), expected.size());
  }
  for (const auto& [place, tile] : expected) pool.remove(*tile);
  EXPECT_EQ(pool.tiles(), 0u);
  EXPECT_TRUE(pool.hull().empty());
}

// Without a named kernel an unbounded plane changes between tiles and the dense plane.
TEST(Automatic, UnboundedPlanesFollowWhatGoesOn) {
  const Grid few = Grid::random(12, 12, 0.5, 2);
  const std::vector<std::pair<const char*, Grid>> worlds = {
      {"Life", Grid::random(700, 600, 0.4, 1)}, {"B3678/S345", few}, {"Seeds", few}};
  for (const auto& [name, cells] : worlds) {
    Pattern start;
    start.cells = cells;
    start.position = Position{-300, 70};
    for (const int threads : {1, 3}) {
      Options automatic, plain;
      automatic.threads = threads;
      plain.kernel = "cpu/bits";
      Simulation tried = Simulation::unbounded(Rule::parse(name), start, automatic),
                 expected = Simulation::unbounded(Rule::parse(name), start, plain);
      for (const std::uint64_t part : {100, 1, 299, 500}) {
        tried.step(part);
        expected.step(part);
        ASSERT_EQ(tried.hash(), expected.hash()) << name << " at " << expected.generation();
        ASSERT_EQ(tried.population(), expected.population());
        ASSERT_EQ(tried.bounding_box(), expected.bounding_box());
        const Box box = *expected.bounding_box();
        ASSERT_EQ(tried.window(box), expected.window(box));
      }
      ASSERT_EQ(tried.step_comparing(3).back().changed, expected.step_comparing(3).back().changed);
      EXPECT_GT(tile_counts(tried).computed, 0u) << name << ": tiles are of use at some time";
    }
  }
}

TEST(Simulation, VisitsCellsFarApart) {
  Simulation simulation = Simulation::unbounded(Rule(), Pattern());
  const std::vector<Position> places = {
      {1'000'000'000, -1'000'000'000}, {-5, 3}, {49, 3}, {160, 3}, {0, 1 << 30}};
  Grid block(2, 2);
  for (std::int64_t i = 0; i < 4; ++i) block.set(i % 2, i / 2);
  for (const Position& place : places) simulation.paste(block, place);
  std::vector<std::pair<std::int64_t, std::int64_t>> seen, expected;
  for (const Position& place : places) {
    for (int i = 0; i < 4; ++i) expected.emplace_back(place.y + i / 2, place.x + i % 2);
  }
  std::ranges::sort(expected);
  simulation.step(24);
  simulation.for_each_live(simulation.box(), [&](Position cell) { seen.emplace_back(cell.y, cell.x); });
  EXPECT_EQ(seen, expected);
}

}  // namespace
}  // namespace moorea::test
