// SPDX-License-Identifier: MIT
// Observers, resets and the cells of a Simulation.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "moorea/error.h"
#include "moorea/mesh.h"
#include "moorea/simulation.h"

namespace moorea {
namespace {

Pattern glider_pattern() { return parse_pattern("x = 3, y = 3\nbo$2bo$3o!", "glider"); }

TEST(Simulation, StopsAtTheGenerationWhereAnObserverAsksForIt) {
  for (const char* kernel : {"", "cpu/bits", "cpu/tiles", "cpu/strided"}) {
    Options options;
    options.kernel = kernel;
    Simulation simulation(Rule(), Topology::torus, Grid::random(100, 100, 0.3, 1), options);
    int calls = 0;
    const Observation stopping = simulation.observe(
        1, [&](const Simulation& now) { return now.generation() == 137 ? Flow::stop : Flow::go_on; });
    const Observation counting = simulation.observe(1, [&](const Simulation&) { ++calls; });
    EXPECT_EQ(simulation.step(1000, [] { return true; }), 137u) << kernel;
    EXPECT_EQ(simulation.generation(), 137u);
    EXPECT_EQ(calls, 137) << "all observers of the last generation are called";
    EXPECT_EQ(simulation.step(10), 10u) << "the next call goes on";
    EXPECT_EQ(simulation.step_counting(5).size(), 5u);
  }
}

TEST(Simulation, AnObserverIsRemovedWithItsHandle) {
  Simulation simulation(Rule(), Topology::torus, Grid::random(64, 64, 0.3, 1));
  std::vector<std::uint64_t> first, second, third;
  Observation kept = simulation.observe(1, [&](const Simulation& now) { first.push_back(now.generation()); });
  {
    const Observation passing =
        simulation.observe(1, [&](const Simulation& now) { second.push_back(now.generation()); });
    simulation.step(2);
  }
  Observation itself;
  itself = simulation.observe(1, [&](const Simulation& now) {
    third.push_back(now.generation());
    itself.remove();
  });
  simulation.observe(4, [&](const Simulation& now) { third.push_back(now.generation()); }).release();
  simulation.step(2);
  Simulation moved = std::move(simulation);
  moved.step(1);
  kept = {};
  moved.step(4);
  EXPECT_EQ(first, (std::vector<std::uint64_t>{1, 2, 3, 4, 5}));
  EXPECT_EQ(second, (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(third, (std::vector<std::uint64_t>{3, 4, 8}));
}

TEST(Simulation, AnObserverNeedNotBeCopyable) {
  Simulation simulation(Rule(), Topology::torus, Grid::random(64, 64, 0.3, 1));
  auto last = std::make_unique<std::uint64_t>(0);
  const std::uint64_t& seen = *last;
  const Observation watching =
      simulation.observe(2, [last = std::move(last)](const Simulation& now) { *last = now.generation(); });
  simulation.step(7);
  EXPECT_EQ(seen, 6u);
}

TEST(Simulation, ResetToCellsOfStatesEqualsANewSimulation) {
  for (const char* rule : {"B3/S23", "/2/3", "WireWorld"}) {
    const WorldSpec torus{Rule::parse(rule), Topology::torus, 90, 70};
    const int states = torus.rule.states();
    Simulation simulation(torus, Cells::random(90, 70, 0.5, 1, states));
    Simulation plane = Simulation::unbounded(torus.rule, Pattern());
    for (std::uint64_t seed = 2; seed < 5; ++seed) {
      const Cells start = Cells::random(90, 70, 0.3, seed, states);
      simulation.step(21);
      simulation.reset(start);
      Simulation other(torus, start);
      EXPECT_EQ(simulation.generation(), 0u);
      simulation.step(33);
      other.step(33);
      ASSERT_EQ(simulation.states(simulation.box()), other.states(other.box())) << rule;
      plane.step(13);
      plane.reset(start, {-1000, 40});
      EXPECT_EQ(plane.generation(), 0u);
      EXPECT_EQ(plane.states({-1000, 40, 90, 70}), start) << rule;
    }
    EXPECT_THROW(simulation.reset(Cells::random(9, 9, 0.9, 1, states), {85, 0}), Error);
    EXPECT_THROW(simulation.reset(Cells(9, 9, states + 1)), Error);
  }
}

TEST(Simulation, ASnapshotOfASurfaceContinuesOnIt) {
  const WorldSpec klein = WorldSpec::on(Rule(), Mesh::make("klein:30x20"), Adjacency::edge);
  Simulation simulation(klein, Grid::random(30, 20, 0.4, 1));
  simulation.step(5);
  for (const bool whole : {false, true}) {
    Simulation copy = Simulation::of(simulation.snapshot(whole));
    EXPECT_EQ(copy.world(), klein);
    EXPECT_EQ(copy.generation(), 5u);
    Simulation same = Simulation::of(simulation.snapshot());
    same.step(20);
    copy.step(20);
    EXPECT_EQ(copy.grid(), same.grid());
    EXPECT_EQ(copy.topology(), Topology::surface);
  }
  Pattern flat = simulation.snapshot();
  flat.set_world({Rule(), Topology::torus, 40, 40});
  EXPECT_EQ(Simulation::of(flat).topology(), Topology::torus);
  EXPECT_THROW(WorldSpec::on(Rule(), nullptr), Error);
}

TEST(Simulation, EmptyBoxesAreReadAtOnce) {
  const std::int64_t endless = std::int64_t{1} << 60;
  for (const char* rule : {"B3/S23", "345/2/4"}) {
    const WorldSpec world{Rule::parse(rule), Topology::plane, 100, 50};
    const Simulation simulation(world, Cells(100, 50, world.rule.states()));
    simulation.read({0, 0, 0, endless}, GridView{nullptr, 0, 0, endless});
    simulation.read({5, 7, endless, 0}, GridView{nullptr, endless / 64, endless, 0});
  }
}

TEST(Simulation, ResetEqualsANewSimulation) {
  for (const char* kernel : {"", "cpu/bits", "cpu/strided", "cpu/tiles", "cpu/ladder/09_lazy"}) {
    for (const Topology topology : {Topology::plane, Topology::torus}) {
      Options options;
      options.kernel = kernel;
      Simulation simulation(Rule(), topology, Grid::random(200, 150, 0.5, 7), options);
      for (std::uint64_t seed = 0; seed < 4; ++seed) {
        const Grid start = Grid::random(200, 150, seed == 2 ? 0.001 : 0.4, seed);
        simulation.step(90 + seed);
        simulation.reset(start);
        Simulation other(Rule(), topology, start, options);
        EXPECT_EQ(simulation.generation(), 0u);
        simulation.step(101);
        other.step(101);
        ASSERT_EQ(simulation.grid(), other.grid()) << kernel;
      }
      EXPECT_THROW(simulation.reset(Grid::random(10, 10, 0.5, 1), {195, 0}), Error);
      simulation.reset(Grid(1, 1), {500, 500});
      EXPECT_EQ(simulation.population(), 0u);
    }
  }
  Simulation plane = Simulation::unbounded(Rule(), glider_pattern());
  plane.step(1000);
  plane.reset(glider_pattern().cells, {-5000, 12});
  plane.step(4);
  EXPECT_EQ(plane.bounding_box(), (Box{-4999, 13, 3, 3}));
}

TEST(Simulation, ReadsIntoMemoryOfTheCaller) {
  for (const char* kernel : {"cpu/reference", "cpu/bits", "cpu/strided", "cpu/tiles"}) {
    Options options;
    options.kernel = kernel;
    const Grid start = Grid::random(203, 77, 0.5, 3);
    const Simulation simulation(Rule(), Topology::plane, start, options);
    for (const Box& box : {Box{0, 0, 203, 77}, Box{-70, -5, 300, 90}, Box{63, 1, 2, 2}, Box{201, 70, 65, 20},
                           Box{300, 10, 70, 5}, Box{-200, -50, 100, 20}, Box{10, 10, 0, 0}}) {
      const std::int64_t words = (box.width + 63) / 64;
      std::vector<std::uint64_t> memory(static_cast<std::size_t>((words + 2) * box.height + 2), ~0ull);
      const GridView view{memory.data(), words + 2, box.width, box.height};
      simulation.read(box, view);
      Grid expected(box.width, box.height);
      expected.paste(start, -box.position());
      for (std::int64_t y = 0; y < box.height; ++y) {
        for (std::int64_t j = 0; j < words; ++j) ASSERT_EQ(view.row(y)[j], expected.row(y)[j]) << kernel;
        ASSERT_EQ(memory[y * (words + 2) + words], ~0ull) << "beside the row";
      }
    }
    std::uint64_t word = 0;
    EXPECT_THROW(simulation.read({0, 0, 64, 2}, {&word, 1, 64, 1}), Error);
    EXPECT_THROW(simulation.read({0, 0, 65, 1}, {&word, 1, 65, 1}), Error);
  }
}

TEST(Simulation, VisitsLiveCells) {
  Pattern start = glider_pattern();
  start.position = Position{-100, 77};
  const Simulation simulation = Simulation::unbounded(Rule(), start);
  std::vector<Position> seen;
  simulation.for_each_live({-1000, -1000, 2000, 2000}, [&](Position cell) { seen.push_back(cell); });
  EXPECT_EQ(seen, (std::vector<Position>{{-99, 77}, {-98, 78}, {-100, 79}, {-99, 79}, {-98, 79}}));
  seen.clear();
  simulation.for_each_live({-99, 79, 1, 1}, [&](Position cell) { seen.push_back(cell); });
  EXPECT_EQ(seen, (std::vector<Position>{{-99, 79}}));
  const WorldSummary summary = simulation.summary();
  EXPECT_EQ(summary.population, 5u);
  EXPECT_EQ(summary.hash, simulation.hash());
  EXPECT_EQ(summary.bounding_box, simulation.bounding_box());
}

}  // namespace
}  // namespace moorea
