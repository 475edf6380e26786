// SPDX-License-Identifier: MIT
// Every kernel through the public Simulation: threads, row bands, the box of live cells, edges and growth.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "definition.h"
#include "every_board.h"
#include "kernels/kernel.h"
#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/simulation.h"

namespace moorea::test {
namespace {

TEST_P(EveryBoard, ThreadsAndStepsDoNotMatter) {
  std::vector<Rule> rules = {Rule(), Rule::parse("B0123478/S01234678"), Rule::parse("Anneal"),
                             Rule::parse("Seeds")};
  std::vector<int> threads_to_test = {1, 2, 7};
#ifdef MOOREA_SANITIZED
  rules.resize(2);  // what memory is touched is decided by threads and shapes
  threads_to_test = {2, 7};
#endif
  if (!GetParam().starts_with("cpu/")) threads_to_test = {2};  // a device does not use them
  for (const Rule& rule : rules) {
    if (!runs(rule)) continue;
    for (const Topology topology : {Topology::plane, Topology::torus}) {
      for (const auto& [width, height] :
           std::vector<std::pair<int, int>>{{1, 1}, {3, 200}, {200, 3}, {130, 97}, {700, 150}}) {
        const Grid start = Grid::random(width, height, 0.3, 5);
        const Grid expected = after(start, rule, topology, 20);
        for (const int threads : threads_to_test) {
          if (!takes(rule, topology, start)) continue;
          Simulation whole(rule, topology, start, with(threads)), parts(rule, topology, start, with(threads));
          if (!is_divided()) {
            EXPECT_EQ(whole.kernel(), GetParam());
            EXPECT_EQ(whole.threads(), threads);
          }
          whole.step(20);
          for (const int part : {1, 2, 3, 4, 10}) parts.step(static_cast<std::uint64_t>(part));
          ASSERT_EQ(whole.grid(), expected)
              << rule.str() << " " << to_string(topology) << " " << width << " x " << height;
          ASSERT_EQ(parts.grid(), expected) << rule.str() << " in parts";
          EXPECT_EQ(whole.population(), expected.population());
          EXPECT_EQ(whole.hash(), expected.hash());
          EXPECT_EQ(whole.bounding_box(), expected.bounding_box());
          EXPECT_EQ(whole.generation(), 20u);
        }
      }
    }
  }
}

// Cells that are drawn into a world that runs, also where others live, and beyond its edges.
TEST_P(EveryBoard, GoesOnWithCellsThatWerePasted) {
  if (!runs(Rule())) GTEST_SKIP() << "refuses Life";
  const Grid start = Grid::random(512, 260, 0.3, 8), block = Grid::random(97, 70, 0.5, 9);
  for (const Topology topology : {Topology::plane, Topology::torus}) {
    if (!takes({}, topology, start)) continue;
    Simulation simulation({}, topology, start, with(2));
    Grid expected = start;
    for (const Position at : {Position{70, 30}, Position{-40, 240}, Position{500, -20}, Position{600, 0}}) {
      simulation.step(13);
      expected = after(expected, {}, topology, 13);
      simulation.paste(block, at);
      expected.paste(block, at);
      ASSERT_EQ(simulation.grid(), expected) << to_string(topology);
      EXPECT_EQ(simulation.population(), expected.population());
      EXPECT_EQ(simulation.hash(), expected.hash());
    }
    simulation.step(13);
    EXPECT_EQ(simulation.grid(), after(expected, {}, topology, 13)) << to_string(topology);
    EXPECT_EQ(simulation.generation(), 65u);
  }
  Pattern pattern;
  pattern.cells = block;
  pattern.position = Position{3, -5};
  if (!takes_growing({}, pattern)) return;
  Simulation plane = Simulation::unbounded({}, pattern, with(2));
  plane.paste(block, {400, -500});  // outside of what it is now
  plane.paste(Grid(50, 70), {3, -5});
  const Box around{-600, -600, 1200, 1200};
  Grid expected(around.width, around.height);
  expected.paste(block, {603, 595});
  expected.paste(block, {1000, 100});
  expected.paste(Grid(50, 70), {603, 595});
  EXPECT_EQ(plane.window(around), expected);
  plane.step(40);
  EXPECT_EQ(plane.window(around), after(expected, {}, Topology::plane, 40));
  plane.paste(Grid(around.width, around.height), around.position());
  EXPECT_EQ(plane.population(), 0u);
  plane.paste(block, {0, 0});
  EXPECT_EQ(plane.population(), block.population());
}

// Fewer generations per pass than the kernel can do, whatever is left over for the last one.
TEST_P(EveryBoard, GenerationsAPassDoNotMatter) {
  const auto kernels = list_kernels();
  const auto info = std::find_if(kernels.begin(), kernels.end(),
                                 [&](const KernelInfo& kernel) { return kernel.name == first_kernel(); });
  if (!info->runs) GTEST_SKIP() << info->reason;
  if (!info->passes_chosen) {
    Options options = with(1);
    options.generations_a_pass = 1;
    EXPECT_THROW(Simulation({}, Topology::torus, Grid(64, 64), options), Error);
    return;  // it takes its passes as they are, and says so
  }
  for (const Topology topology : {Topology::plane, Topology::torus}) {
    const Grid start = Grid::random(300, 170, 0.4, 12);
    if (!takes(Rule(), topology, start)) continue;
    const Grid expected = after(start, Rule(), topology, 19);
    for (int generations = 1; generations <= std::min(info->max_steps, is_divided() ? 6 : 9); ++generations) {
      Options options = with(2);
      options.generations_a_pass = generations;
      Simulation simulation({}, topology, start, options);
      simulation.step(19);
      ASSERT_EQ(simulation.grid(), expected) << to_string(topology) << ", " << generations << " a pass";
    }
  }
  for (const int wrong : {0, -1, info->max_steps + 1}) {
    Options options = with(1);
    options.generations_a_pass = wrong;
    EXPECT_THROW(Simulation({}, Topology::torus, Grid(64, 64), options), Error) << wrong;
  }
}

// A few small things in a large world: only their box is computed, it moves, grows, shrinks and meets the
// edges.
TEST_P(EveryBoard, SparseWorldsAreExact) {
  if (!runs(Rule())) GTEST_SKIP() << "refuses Life";
  for (const Topology topology : {Topology::plane, Topology::torus}) {
    for (const auto& [x, y] :
         std::vector<std::pair<int, int>>{{100, 60}, {0, 0}, {210, 100}, {63, 100}, {5, 3}}) {
      Grid start(230, 120);
      start.paste(parse_pattern("x = 3, y = 3\nbo$2bo$3o!", "glider").cells, {x, y});
      start.paste(parse_pattern("x = 3, y = 1\n3o!", "blinker").cells, {120, 60});
      if (!takes(Rule(), topology, start)) continue;
      Simulation simulation(Rule(), topology, start, with(2));
      Grid expected = start;
#ifdef MOOREA_SANITIZED
      constexpr int generations = 80;
#else
      constexpr int generations = 600;
#endif
      for (int generation = 0; generation < generations;) {
        const int part = 1 + generation % 37;
        simulation.step(static_cast<std::uint64_t>(part));
        expected = after(expected, Rule(), topology, part);
        generation += part;
        ASSERT_EQ(simulation.grid(), expected)
            << to_string(topology) << " from " << x << ", " << y << " at " << generation;
        ASSERT_EQ(simulation.hash(), expected.hash());
      }
    }
  }
}

TEST_P(EveryBoard, AnEmptyWorldStaysEmptyAndAShrinkingOneIsCleared) {
  if (!runs(Rule())) GTEST_SKIP() << "refuses Life";
  Simulation empty(Rule(), Topology::torus, Grid(128, 100), with(1));
  empty.step(1'000'000'000'000);
  EXPECT_EQ(empty.population(), 0u);
  EXPECT_EQ(empty.hash(), 0u);
  EXPECT_FALSE(empty.bounding_box());
  // A bar of 99 dies down to ash in its middle; every dead part must really be dead in both buffers
  Grid bar(300, 200);
  for (int x = 100; x < 199; ++x) bar.set(x, 100);
  if (!takes(Rule(), Topology::plane, bar)) return;
  Simulation simulation(Rule(), Topology::plane, bar, with(2));
  simulation.step(300);
  EXPECT_EQ(simulation.grid(), after(bar, Rule(), Topology::plane, 300));
}

// Cells that die far from the others, in the generation before a board looks again where cells live
// (BlockBoard: each 64), is gone from both of its buffers, on whichever side it was.
TEST_P(EveryBoard, WhatDiesBesideTheRestIsGone) {
  if (!runs(Rule())) GTEST_SKIP() << "refuses Life";
  const Grid block = parse_pattern("x = 2, y = 2\n2o$2o!", "block").cells;
  Grid early(60, 60);
  early.paste(parse_pattern("x = 8, y = 3\n6bo$2o$bo3b3o!", "diehard").cells, {26, 28});
  const Grid dying = after(early, Rule(), Topology::plane, 66);  // for 64 generations more
  const std::optional<Box> last = after(dying, Rule(), Topology::plane, 63).bounding_box();
  ASSERT_TRUE(last);
  ASSERT_EQ(after(dying, Rule(), Topology::plane, 64).population(), 0u);
  // Its last cells lie in the block's rows or columns, in words and rows that nothing else reaches
  for (const Position& at : {Position{30, 180}, Position{440, 180}, Position{250, 40}, Position{250, 320}}) {
    Grid start(512, 360);
    start.paste(block, {250, 180});
    start.paste(dying, {at.x - last->x, at.y - last->y});
    if (!takes(Rule(), Topology::torus, start)) GTEST_SKIP() << "only worlds of certain sizes";
    Grid expected(512, 360);
    expected.paste(block, {250, 180});
    Simulation simulation(Rule(), Topology::torus, start, with(2));
    simulation.step(64);
    for (int generation = 64; generation < 68; ++generation, simulation.step())
      ASSERT_EQ(simulation.grid(), expected) << at.x << ", " << at.y << " at " << generation;
  }
}

TEST_P(EveryBoard, AGrowingPlaneIsAPlaneWithoutEdges) {
  std::vector<const char*> names = {"Life", "Seeds", "HighLife", "LifeWithoutDeath"};
  if (is_sanitized) names.resize(2);  // planes that grow slowly, and fast
  for (const char* name : names) {
    const Rule rule = Rule::parse(name);
    if (!runs(rule)) continue;
    Pattern start;
    start.cells = Grid::random(20, 20, 0.5, 3);
    start.position = Position{-1000, 77};
    if (!takes_growing(rule, start)) GTEST_SKIP() << "only worlds of certain sizes";
    Simulation simulation = Simulation::unbounded(rule, start, with(2));
    // Seeds runs into the second growth, where the definition is not slowed down by a sanitizer
#ifdef MOOREA_SANITIZED
    const int generations = 130;
#else
    const int generations = rule == Rule::parse("Seeds") ? 340 : 130;
#endif
    simulation.step(static_cast<std::uint64_t>(generations));
    Grid large(20 + 2 * generations, 20 + 2 * generations);
    large.paste(start.cells, {generations, generations});
    const Grid expected = after(large, rule, Topology::plane, generations);
    const Box around{-1000 - generations, 77 - generations, expected.width(), expected.height()};
    ASSERT_EQ(simulation.window(around), expected) << name;
    EXPECT_EQ(simulation.population(), expected.population()) << name;
    EXPECT_EQ(simulation.hash(), expected.hash(around.position())) << name;
    EXPECT_FALSE(simulation.edge_met());
  }
}

INSTANTIATE_TEST_SUITE_P(Table, EveryBoard, testing::ValuesIn(kernel_names_and_divided()),
                         [](const auto& test_case) { return test_name(test_case.param); });

}  // namespace
}  // namespace moorea::test
