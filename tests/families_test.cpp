// SPDX-License-Identifier: MIT
// Larger than Life and rules of blocks: every kernel that supports them against the definition, published
// facts, and the functions of a simulation that depend on their neighbourhoods.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "byte_world.h"
#include "moorea/cells.h"
#include "moorea/error.h"
#include "moorea/larger_than_life.h"
#include "moorea/pattern.h"
#include "moorea/simulation.h"
#include "rule_kernels.h"

namespace moorea::test {
namespace {

using Shape = LargerThanLife::Shape;

// Neighbourhoods as Golly's help and LifeViewer's describe them.
bool is_neighbour(Shape shape, int r, int dx, int dy) {
  const int x = std::abs(dx), y = std::abs(dy);
  if (shape == Shape::moore) return true;
  if (shape == Shape::von_neumann) return x + y <= r;
  if (shape == Shape::circular) return 4 * (x * x + y * y) < (2 * r + 1) * (2 * r + 1);
  if (shape == Shape::euclidean) return x * x + y * y <= r * r;
  if (shape == Shape::hexagonal) return dx - dy <= r && dy - dx <= r;
  if (shape == Shape::cross) return x * y == 0;
  if (shape == Shape::saltire) return x == y;
  if (shape == Shape::star) return x * y == 0 || x == y;
  if (shape == Shape::hash) return x == 1 || y == 1;
  return (x + y) % 2 == (shape == Shape::checkerboard ? 1 : 0);
}

// One generation, cell by cell.
ByteWorld next_wide(const ByteWorld& world, const Rule& rule, Topology topology) {
  const LargerThanLife& counts = *rule.larger_than_life();
  const int r = counts.radius();
  std::vector<std::pair<int, int>> neighbours;
  for (int dy = -r; dy <= r; ++dy) {
    for (int dx = -r; dx <= r; ++dx)
      if ((dx != 0 || dy != 0) && is_neighbour(counts.shape(), r, dx, dy)) neighbours.emplace_back(dx, dy);
  }
  ByteWorld next(world.width(), world.height(), topology);
  for (std::int64_t y = 0; y < next.height(); ++y) {
    for (std::int64_t x = 0; x < next.width(); ++x) {
      int live = 0;
      for (const auto& [dx, dy] : neighbours) live += world.at(x + dx, y + dy) == 1 ? 1 : 0;
      const int state = world.at(x, y);
      bool lives = false;
      for (const auto& [first, last] : state == 0 ? counts.birth() : counts.survival())
        lives = lives || (first <= live && live <= last);
      next.set(x, y, state < 2 && lives ? 1 : state == 0 || state + 1 == rule.states() ? 0 : state + 1);
    }
  }
  return next;
}

ByteWorld next_blocks(const ByteWorld& world, const Rule& rule, Topology topology, bool odd) {
  ByteWorld next(world.width(), world.height(), topology);
  for (std::int64_t y = 0; y < next.height(); ++y) {
    for (std::int64_t x = 0; x < next.width(); ++x) {
      const bool is_south = (y % 2 != 0) != odd, is_east = (x % 2 != 0) != odd;
      const std::int64_t west = x - (is_east ? 1 : 0), north = y - (is_south ? 1 : 0);
      std::size_t block = 0;
      for (int i = 0; i < 4; ++i)
        block |= static_cast<std::size_t>(world.at(west + i % 2, north + i / 2)) << i;
      next.set(x, y, (*rule.blocks())[block] >> ((is_south ? 2 : 0) + (is_east ? 1 : 0)) & 1);
    }
  }
  return next;
}

// From generation 0 on, or for blocks from any.
Cells after(const Cells& start, const Rule& rule, Topology topology, int generations, int first = 0) {
  ByteWorld world(start, topology);
  for (int i = first; i < first + generations; ++i)
    world = rule.blocks() != nullptr ? next_blocks(world, rule, topology, i % 2 != 0)
                                     : next_wide(world, rule, topology);
  return world.cells(rule.states());
}

// Intervals around the number of live neighbours in noise.
Rule random_wide(Shape shape, int radius, int states, std::mt19937& random) {
  const int neighbours = LargerThanLife(radius, shape, {}, {}).neighbours();
  const auto intervals = [&] {
    std::vector<LargerThanLife::Interval> result;
    for (unsigned i = 0; i < 1 + random() % 3; ++i) {
      const int first = static_cast<int>(random() % static_cast<unsigned>(neighbours));
      result.push_back(
          {first, first + static_cast<int>(random() % static_cast<unsigned>(neighbours / 3 + 1))});
    }
    return result;
  };
  return Rule::by(LargerThanLife(radius, shape, intervals(), intervals()), states);
}

std::vector<Rule> family_rules() {
  std::mt19937 random(21);
  std::vector<Rule> rules = {Rule::parse("Bosco's Rule"), Rule::parse("Critters"), Rule::parse("BBM"),
                             Rule::parse("M3,7,1,0,15,2,9,8,4,4,1,12,13,5,6,11")};
  for (const Shape shape :
       {Shape::moore, Shape::von_neumann, Shape::circular, Shape::euclidean, Shape::hexagonal, Shape::cross,
        Shape::saltire, Shape::star, Shape::hash, Shape::checkerboard, Shape::aligned_checkerboard})
    rules.push_back(random_wide(shape, 2 + static_cast<int>(random() % 6), 2, random));
  for (const auto& [radius, states] : {std::pair(2, 3), {3, 4}, {4, 9}, {9, 2}, {14, 5}})
    rules.push_back(random_wide(Shape::moore, radius, states, random));
  rules.push_back(random_wide(Shape::circular, 11, 6, random));
  for (int i = 0; i < 6; ++i) {
    Rule::Blocks blocks;
    for (std::uint8_t& block : blocks) block = static_cast<std::uint8_t>(random() % 16);
    rules.push_back(Rule::by(blocks));
  }
  return rules;
}

TEST(Families, EveryKernelIsTheDefinition) {
  const std::vector<Size> sizes = {{2, 2},    {4, 2},    {64, 6},   {66, 34},
                                   {512, 20}, {514, 26}, {200, 90}, {1030, 8}};
  std::mt19937 random(22);
  const std::vector<Rule> rules = family_rules();
  for (std::size_t number = 0; number < rules.size(); ++number) {
    const Rule& rule = rules[number];
    const std::vector<std::string> kernels = kernels_for(rule, number);
    EXPECT_GE(kernels.size(), 3u);
    for (const Topology topology : {Topology::torus, Topology::plane}) {
      for (Size size : sizes) {
        if (random() % sampled_worlds() != 0) continue;
        if (rule.blocks() == nullptr) size.width -= 1, size.height -= 1;
        const Cells start = Cells::random(size.width, size.height, 0.4, random(), rule.states());
        Cells expected = start;
        std::vector<Simulation> simulations;
        for (const std::string& kernel : kernels)
          if (takes(kernel, size))
            simulations.emplace_back(WorldSpec{rule, topology, size.width, size.height}, start,
                                     with(kernel, 2));
        int generation = 0;
        for (const int generations : {1, 3, 2}) {
          expected = after(expected, rule, topology, generations, generation);
          generation += generations;
          for (Simulation& simulation : simulations) {
            simulation.step(static_cast<std::uint64_t>(generations));
            ASSERT_EQ(simulation.states(simulation.box()), expected)
                << rule.str() << ", " << simulation.kernel() << ", " << to_string(topology) << ", "
                << size.width << " x " << size.height;
          }
        }
      }
    }
  }
}

// Counts of more than 16 binary digits, and worlds that are smaller than the neighbourhood: the reference,
// whose windows are those of all other sizes, is the definition here.
TEST(Families, LargeNeighbourhoodsAreThoseOfTheReference) {
  std::mt19937 random(24);
  for (const Rule& rule :
       {random_wide(Shape::moore, 130, 2, random), random_wide(Shape::von_neumann, 200, 3, random),
        random_wide(Shape::moore, 127, 4, random)}) {
    for (const Topology topology : {Topology::torus, Topology::plane}) {
      for (const Size size : {Size{150, 70}, {1000, 30}}) {
        const Cells start = Cells::random(size.width, size.height, 0.5, random(), rule.states());
        const WorldSpec world = {rule, topology, size.width, size.height};
        Simulation reference(world, start, with("cpu/wide/reference", 1));
        reference.step(2);
        for (const std::string& kernel : kernels_for(rule)) {
          if (kernel.starts_with("opencl/")) continue;
          Simulation simulation(world, start, with(kernel, 2));
          simulation.step(2);
          ASSERT_EQ(simulation.states(simulation.box()), reference.states(reference.box()))
              << rule.str() << ", " << simulation.kernel() << ", " << to_string(topology) << ", "
              << size.width;
        }
      }
    }
  }
}

int few_cells_worlds() {
#ifdef MOOREA_SANITIZED
  return 1;
#else
  return test_everything() ? 100 : 4;
#endif
}

// A few cells that grow or fly through the borders of bands and of vectors, where noise would hide errors.
TEST(Families, AFewCellsAreExactEverywhere) {
  const Rule grows = Rule::parse("R3,C0,M0,S2..9,B3..6,NM"), ages = Rule::parse("R2,C4,M0,S2..6,B4..7,NC"),
             flies = Rule::parse("HPP Gas"), strobes = Rule::parse("Critters");
  std::mt19937 random(23);
  for (const Rule& rule : {grows, ages, flies, strobes}) {
    for (const Topology topology : {Topology::torus, Topology::plane}) {
      for (int i = 0; i < few_cells_worlds(); ++i) {
        Size size = size_with_borders(i, random);
        size.width += size.width % 2, size.height += size.height % 2;
        Cells start(size.width, size.height, rule.states());
        for (int k = 0; k < 3; ++k) {
          const std::int64_t x = random() % (size.width - 2), y = random() % (size.height - 2);
          for (const auto& [dx, dy] : {std::pair(0, 0), {1, 0}, {0, 1}, {2, 1}}) start.set(x + dx, y + dy, 1);
        }
        Cells expected = start;
        std::vector<Simulation> simulations;
        for (const std::string& kernel : kernels_for(rule)) {
          if (!kernel.ends_with("reference") && takes(kernel, size))
            simulations.emplace_back(WorldSpec{rule, topology, size.width, size.height}, start,
                                     with(kernel, 3));
        }
        int generation = 0;
#ifdef MOOREA_SANITIZED
        constexpr int numbers[] = {2, 5};
#else
        constexpr int numbers[] = {5, 17};
#endif
        for (const int generations : numbers) {
          expected = after(expected, rule, topology, generations, generation);
          generation += generations;
          for (Simulation& simulation : simulations) {
            simulation.step(static_cast<std::uint64_t>(generations));
            ASSERT_EQ(simulation.states(simulation.box()), expected)
                << rule.str() << ", " << simulation.kernel() << ", " << to_string(topology) << ", "
                << size.width << " x " << size.height;
          }
        }
      }
    }
  }
}

TEST(Families, RadiusOneIsARuleOfNineCells) {
  EXPECT_EQ(Rule::parse("R1,C0,M0,S2..3,B3..3,NM"), Rule());
  EXPECT_EQ(Rule::parse("1,3,3,3,4"), Rule());
  EXPECT_EQ(Rule::parse("R1,C3,S,B2"), Rule::parse("Brian's Brain"));
  EXPECT_EQ(Rule::parse("R1,C0,M1,S1..1,B1..1,NN"), Rule::parse("B1/S0V"));
  EXPECT_EQ(Rule::parse("R1,S3-4,B2,NH"), Rule::parse("B2/S34H"));
}

// D. Hickerson's spaceship "Butterfly" (2000), of which Golly has the pattern: 9 cells in 31 generations.
TEST(Families, TheButterflyFliesWithNineThirtyFirsts) {
  const char* const text =
      "x = 25, y = 37, rule = R5,C0,M1,S34..52,B31..45,NM\n"
      "18b4o$16b4ob3o$14b5o3b3o$14b3o5b3o$13b3o6b3o$11b3o9b2o$b7o2b3o10b2o$3ob7o12b2o$11o13bo$3o2b4o14b2o$"
      "3o4b2o2b3o8b2o$3o18b2o$o17bob2o$o16b4o$2o13bob3o$b2o13b2o$b3obo6bob3o$2b5o4b4o$3b4o5b2o$2b5o4b4o$"
      "b3obo6bob3o$b2o13b2o$2o13bob3o$o16b4o$o17bob2o$3o18b2o$3o4b2o2b3o8b2o$3o2b4o14b2o$11o13bo$"
      "3ob7o12b2o$b7o2b3o10b2o$11b3o9b2o$13b3o6b3o$14b3o5b3o$14b5o3b3o$16b4ob3o$18b4o!";
  Simulation ship = Simulation::of(parse_pattern(text, "test"));
  const Box before = *ship.bounding_box();
  const Grid cells = ship.window(before);
  ship.step(31 * 40);
  const Box now = *ship.bounding_box();
  EXPECT_EQ(ship.window(now), cells);
  EXPECT_EQ(std::abs(now.x - before.x) + std::abs(now.y - before.y), 9 * 40);
}

// K. Evans's creature "Bosco" in MCell's collection: an oscillator of period 166.
TEST(Families, BoscoHasItsPeriod) {
  const char* const text =
      "x = 37, y = 45, rule = Bosco's Rule\n"
      "29bo$27b5o$25b5ob2o$24b5o3b2o$24b4o5bo$23b4o5b3o$24b4o3b3o$24b5ob4o$25b8o$26b7o$27b5o!";
  Simulation world = Simulation::of(parse_pattern(text, "test"));
  const Grid start = world.window({-50, -50, 100, 100});
  int period = 0;
  do {
    world.step(1);
    ++period;
  } while (world.window({-50, -50, 100, 100}) != start && period < 1000);
  EXPECT_EQ(period, 166);
}

TEST(Families, UnboundedPlanesGrow) {
  std::mt19937 random(24);
  for (const Rule& rule : {Rule::parse("R4,C3,S10-20,B9-12"), Rule::parse("HPP Gas")}) {
    Pattern start;
    start.states = Cells::random(20, 12, 0.5, 5, rule.states());
    start.cells = start.states->live();
    if (rule.states() == 2) start.states.reset();
    start.position = Position{-7, 1001};
    Simulation simulation = Simulation::unbounded(rule, start);
#ifdef MOOREA_SANITIZED
    const int generations = 10;
#else
    const int generations = 30;
#endif
    const int margin = generations * rule.reach() + 2;
    Cells expected(20 + 2 * margin, 12 + 2 * margin, rule.states());
    expected.paste(Cells::random(20, 12, 0.5, 5, rule.states()), {margin, margin});
    // Blocks of the plane begin in (0, 0); that cell is at an odd place of the rectangle in both directions
    expected = after(expected, rule, Topology::plane, generations, rule.blocks() != nullptr ? 1 : 0);
    simulation.step(static_cast<std::uint64_t>(generations));
    EXPECT_EQ(simulation.states({-7 - margin, 1001 - margin, expected.width(), expected.height()}), expected)
        << rule.str();
    EXPECT_EQ(simulation.hash(), expected.hash({-7 - margin, 1001 - margin}));
  }
}

// N. Margolus's Critters (1987) can be reversed: so can 10,000 of its generations, from any parity.
TEST(Families, CrittersGoBack) {
  const Rule critters = Rule::parse("Critters");
  ASSERT_TRUE(critters.inverse());
  EXPECT_EQ(critters.inverse()->inverse(), critters);
  const Grid start = Grid::random(126, 70, 0.3, 6);
  for (const std::string& kernel : kernels_for(critters)) {
    for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{7}}) {
      Simulation world({critters, Topology::torus, 126, 70}, start, with(kernel, 2));
      world.set_generation(first);
      const std::uint64_t generations = kernel.ends_with("reference") ? 501 : 10'000;
      world.step(generations);
      EXPECT_NE(world.grid(), start);
      EXPECT_EQ(world.step_back(generations), generations);
      EXPECT_EQ(world.grid(), start) << kernel << " from generation " << first;
      EXPECT_EQ(world.generation(), first);
      EXPECT_THROW((void)world.step_back(first + 1), Error);
    }
  }
  Pattern few;
  few.cells = Grid::random(9, 9, 0.5, 7);
  Simulation plane = Simulation::unbounded(Rule::parse("BBM"), few);
  const Grid cells = plane.window({-10, -10, 20, 20});
  plane.step(301);
  plane.step_back(301);
  EXPECT_EQ(plane.window({-10, -10, 20, 20}), cells);
  Simulation edges({Rule::parse("BBM"), Topology::plane, 20, 20}, Grid(20, 20));
  edges.step(3);
  EXPECT_THROW((void)edges.step_back(1), Error);
  Simulation life({Rule(), Topology::torus, 20, 20}, Grid(20, 20));
  life.step(3);
  EXPECT_THROW((void)life.step_back(1), Error);
}

TEST(Families, WhatNeedsNineCellsRefuses) {
  for (const Rule& rule : {Rule::parse("Bosco's Rule"), Rule::parse("BBM")}) {
    const WorldSpec world = {rule, Topology::torus, 64, 64};
    EXPECT_THROW(Simulation(world, Grid(64, 64), with("cpu/strided", 1)), Error);
    EXPECT_THROW(Simulation(world, Grid(64, 64), with("hashlife", 1)), Error);
    Options streamed;
    streamed.out_of_core.emplace();
    EXPECT_THROW(Simulation(world, Grid(64, 64), streamed), Error);
  }
  EXPECT_THROW(Simulation({Rule(), Topology::torus, 64, 64}, Grid(64, 64), with("cpu/wide/planes", 1)),
               Error);
  EXPECT_THROW(Simulation({Rule(), Topology::torus, 64, 64}, Grid(64, 64), with("cpu/blocks/planes", 1)),
               Error);
  EXPECT_THROW(Simulation({Rule::parse("BBM"), Topology::torus, 63, 64}, Grid(63, 64)), Error);
  EXPECT_NO_THROW(Simulation({Rule::parse("BBM"), Topology::plane, 63, 63}, Grid(63, 63)));
}

}  // namespace
}  // namespace moorea::test
