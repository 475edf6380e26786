// SPDX-License-Identifier: MIT
// Worlds without a named kernel: Moorea changes between kernels as the world becomes busy or quiet.
#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "definition.h"
#include "moorea/lab/instruments.h"
#include "moorea/simulation.h"

namespace moorea::test {
namespace {

// Without a named kernel: noise becomes inactive and a few cells fill a world. Both move it to the other
// layout.
TEST(Automatic, FollowsWhatGoesOn) {
  Grid few(1024, 512);
  few.paste(Grid::random(6, 6, 0.5, 2), {500, 250});
  const std::vector<std::tuple<const char*, Topology, Grid>> worlds = {
      {"Life", Topology::torus, Grid::random(1024, 512, 0.4, 1)},
      {"Life", Topology::plane, Grid::random(1000, 530, 0.4, 1)},
      {"Seeds", Topology::torus, few},
      {"B3678/S345", Topology::plane, few}};
  for (const auto& [name, topology, start] : worlds) {
    const Rule rule = Rule::parse(name);
    for (const int threads : {1, 3}) {
      Options automatic, plain;
      automatic.threads = threads;
      plain.kernel = "cpu/bits";
      Simulation tried(rule, topology, start, automatic), expected(rule, topology, start, plain);
      for (const std::uint64_t part : {100, 1, 899, 500}) {
        tried.step(part);
        expected.step(part);
        ASSERT_EQ(tried.grid(), expected.grid())
            << name << " " << to_string(topology) << " at " << expected.generation();
        ASSERT_EQ(tried.hash(), expected.hash());
        ASSERT_EQ(tried.population(), expected.population());
        ASSERT_EQ(tried.bounding_box(), expected.bounding_box());
      }
    }
  }
}

// Tiles that sleep are counted.
TEST(Automatic, CountsTilesThatSleep) {
  Grid start(1000, 1000);
  start.paste(parse_pattern("x = 3, y = 3\nbo$2bo$3o!", "glider").cells, {500, 500});
  Simulation simulation(Rule(), Topology::torus, start, Options());
  simulation.step(600);
  const TileCounts counts = tile_counts(simulation);
  EXPECT_GE(counts.computed, 100u);
  EXPECT_GE(counts.computed, counts.changed);
  EXPECT_GE(counts.changed, 100u);
  EXPECT_GT(counts.skipped, 30 * counts.computed);
  EXPECT_EQ((counts.computed + counts.skipped) % 100, 0u) << "each of 100 passes counts every tile";
}

// A number of generations that the length of a pass does not divide: oscillators sleep nevertheless.
TEST(Automatic, LongRunsWithARestSleep) {
  constexpr std::uint64_t generations = 1'000'004;  // 4 divides it, 5 and 6 do not
  Grid start(600, 600);
  const Pattern pulsar = parse_pattern(
      "x = 13, y = "
      "13\n2b3o3b3o2$o4bobo4bo$o4bobo4bo$o4bobo4bo$2b3o3b3o2$2b3o3b3o$o4bobo4bo$o4bobo4bo$o4bobo4b"
      "o2$2b3o3b3o!",
      "pulsar");
  start.paste(pulsar.cells, {294, 294});
  Options options;
  options.device = "cpu";
  Simulation torus(Rule(), Topology::torus, start, options);
  Simulation plane = Simulation::unbounded(Rule(), pulsar, options);
  Simulation expected(Rule(), Topology::torus, start, options);
  expected.step(generations % 3);
  for (Simulation* simulation : {&torus, &plane}) {
    simulation->step(generations);
    EXPECT_LT(tile_counts(*simulation).computed, 5000u);
    EXPECT_EQ(simulation->population(), expected.population());
  }
  EXPECT_EQ(torus.hash(), expected.hash());
}

// Noise that is written in parts, as ranks do, is computed by the busy kernel from the first generation on.
TEST(Automatic, IsBusyOnceNoiseIsWritten) {
  const Grid noise = Grid::random(1024, 1024, 0.4, 3);
  Options options;
  options.device = "cpu";
  Simulation simulation(Rule(), Topology::torus, Grid(1024, 1024), options);
  for (std::int64_t y = 0; y < 1024; y += 128) simulation.paste(noise.crop({0, y, 1024, 128}), {0, y});
  simulation.step(32);
  EXPECT_EQ(tile_counts(simulation).computed, 0u);
  Simulation at_once(Rule(), Topology::torus, noise, options);
  at_once.step(32);
  EXPECT_EQ(simulation.hash(), at_once.hash());
}

}  // namespace
}  // namespace moorea::test
