// SPDX-License-Identifier: MIT
// Every kernel through the public Simulation: threads, row bands, the box of live cells, edges and growth.
#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "boards/block_board.h"
#include "definition.h"
#include "devices/traits.h"
#include "kernels/kernel.h"
#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/simulation.h"

namespace moorea::test {
namespace {

class EveryBoard : public testing::TestWithParam<std::string> {
 protected:
  Options with(int threads) const {
    Options options;
    options.kernel = GetParam();
    options.threads = threads;
    return options;
  }

  // Some kernels are for worlds of certain sizes
  template <class Make>
  static bool is_available(const Make& make) {
    try {
      make();
      return true;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::unavailable) << error.what();
      return false;
    }
  }
  bool takes(const Rule& rule, Topology topology, const Grid& world) const {
    return is_available([&] { Simulation(rule, topology, world, with(1)); });
  }
  bool takes_growing(const Rule& rule, const Pattern& start) const {
    return is_available([&] { Simulation::unbounded(rule, start, with(1)); });
  }

  bool runs(const Rule& rule) const {
    for (const auto* entry = kernels::table; entry->name != nullptr; ++entry) {
      if (entry->name != GetParam()) continue;
      const kernels::RuleMask mask = {static_cast<std::uint16_t>(rule.birth()),
                                      static_cast<std::uint16_t>(rule.survival())};
      return entry->kernel->bind(mask, machine_traits()).refusal == nullptr;
    }
    return false;
  }
};

TEST_P(EveryBoard, ThreadsAndStepsDoNotMatter) {
  std::vector<Rule> rules = {Rule(), Rule::parse("B0123478/S01234678"), Rule::parse("Anneal"),
                             Rule::parse("Seeds")};
  std::vector<int> threads_to_test = {1, 2, 7};
#ifdef MOOREA_SANITIZED
  rules.resize(2);  // what memory is touched is decided by threads and shapes
  threads_to_test = {2, 7};
#endif
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
          EXPECT_EQ(whole.kernel(), GetParam());
          EXPECT_EQ(whole.threads(), threads);
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

// How many cells live in any box, by one sum for each corner.
class CellSums {
 public:
  explicit CellSums(const Grid& cells) : width_(cells.width()), height_(cells.height()) {
    sums_.resize(static_cast<std::size_t>((width_ + 1) * (height_ + 1)));
    for (std::int64_t y = 0; y < height_; ++y) {
      std::uint32_t row = 0;
      for (std::int64_t x = 0; x < width_; ++x) {
        row += cells.alive(x, y) ? 1 : 0;
        at(x + 1, y + 1) = at(x + 1, y) + row;
      }
    }
  }

  std::uint32_t of(const Box& box) const {
    const auto corner = [&](std::int64_t x, std::int64_t y) {
      x = std::clamp<std::int64_t>(x, 0, width_);
      y = std::clamp<std::int64_t>(y, 0, height_);
      return sums_[static_cast<std::size_t>(y * (width_ + 1) + x)];
    };
    const std::int64_t right = box.x + box.width, bottom = box.y + box.height;
    return corner(right, bottom) - corner(box.x, bottom) - corner(right, box.y) + corner(box.x, box.y);
  }

 private:
  std::uint32_t& at(std::int64_t x, std::int64_t y) {
    return sums_[static_cast<std::size_t>(y * (width_ + 1) + x)];
  }

  std::int64_t width_, height_;
  std::vector<std::uint32_t> sums_;
};

// What is counted in squares is what lies there, wherever the raster begins and ends.
TEST_P(EveryBoard, CountsTheCellsOfSquares) {
  if (!runs(Rule())) GTEST_SKIP() << "refuses Life";
  const Grid start = Grid::random(GetParam().starts_with("cpu/") ? 700 : 512, 300, 0.4, 4);
  if (!takes(Rule(), Topology::torus, start)) GTEST_SKIP() << "only worlds of certain sizes";
  Simulation simulation({}, Topology::torus, start, with(2));
  simulation.step(7);
  const CellSums sums(simulation.grid());
  for (const Raster& raster :
       {Raster{0, 0, 40, 20, 1}, Raster{-5, -9, 75, 39, 10}, Raster{17, 33, 20, 9, 31},
        Raster{0, 0, 8, 5, 64}, Raster{-64, -3, 13, 4, 64}, Raster{5, -1, 4, 3, 128},
        Raster{-40, -70, 5, 3, 200}, Raster{3, 1, 2, 1, 1000}, Raster{-3000, 5, 1, 1, 65535},
        Raster{600, 400, 3, 3, 50}, Raster{-7, -3, 371, 160, 2}, Raster{1, 2, 180, 77, 4},
        Raster{-30, 0, 99, 41, 8}, Raster{5, -60, 50, 25, 16}, Raster{-1, 1, 30, 13, 32},
        Raster{-65535 * 50, -65535 * 50, 100, 100, 65535}}) {
    const std::vector<std::uint32_t> squares = simulation.density(raster);
    ASSERT_EQ(std::ssize(squares), raster.columns * raster.rows);
    for (std::int64_t j = 0; j < raster.rows; ++j) {
      for (std::int64_t i = 0; i < raster.columns; ++i) {
        const Box square{raster.x + i * raster.scale, raster.y + j * raster.scale, raster.scale,
                         raster.scale};
        ASSERT_EQ(squares[static_cast<std::size_t>(j * raster.columns + i)], sums.of(square))
            << "scale " << raster.scale << ", square " << i << ", " << j;
      }
    }
    const std::uint32_t half = static_cast<std::uint32_t>(raster.scale * raster.scale / 2) + 1;
    std::vector<std::uint32_t> each(255);
    std::iota(each.begin(), each.end(), 1);
    for (const std::vector<std::uint32_t>& limits :
         {std::vector<std::uint32_t>{}, {1}, {1, 1, 1, half / 3 + 1, half, half, 2 * half}, each}) {
      // The largest squares take their time, and what becomes of a count is the same
      if (raster.scale > 1000 && limits.size() != 1) continue;
      const std::vector<std::uint8_t> levels = simulation.levels(raster, limits);
      ASSERT_EQ(levels.size(), squares.size());
      for (std::size_t i = 0; i < levels.size(); ++i)
        ASSERT_EQ(levels[i], std::upper_bound(limits.begin(), limits.end(), squares[i]) - limits.begin())
            << "scale " << raster.scale << ", square " << i << ", " << limits.size() << " limits";
    }
  }
  EXPECT_THROW(simulation.levels({0, 0, 0, 1, 1}, {}), Error);
  const std::uint32_t falling[] = {2, 1}, none[] = {0};
  EXPECT_THROW(simulation.levels({0, 0, 1, 1, 1}, falling), Error);
  EXPECT_THROW(simulation.levels({0, 0, 1, 1, 1}, none), Error);
  EXPECT_THROW(simulation.levels({0, 0, 1, 1, 1}, std::vector<std::uint32_t>(256, 1)), Error);
  EXPECT_THROW(simulation.density({0, 0, 0, 1, 1}), Error);
  EXPECT_THROW(simulation.density({0, 0, 1, 1, max_raster_scale + 1}), Error);
}

// Fewer generations a pass than the kernel can do, whatever is left over for the last one.
TEST_P(EveryBoard, GenerationsAPassDoNotMatter) {
  const auto kernels = list_kernels();
  const auto info = std::find_if(kernels.begin(), kernels.end(),
                                 [&](const KernelInfo& kernel) { return kernel.name == GetParam(); });
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
    for (int generations = 1; generations <= std::min(info->max_steps, 9); ++generations) {
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

// Every cell is in one event of each pass, a thread does one thing at a time, and recording changes no cell.
TEST_P(EveryBoard, TellsWhichThreadDidWhat) {
  if (!runs(Rule())) GTEST_SKIP() << "refuses Life";
  // Some kernels of other devices have worlds of certain widths only
  const Grid start = Grid::random(GetParam().starts_with("cpu/") ? 700 : 512, 300, 0.4, 4);
  if (!takes(Rule(), Topology::torus, start)) GTEST_SKIP() << "only worlds of certain sizes";
  Simulation simulation({}, Topology::torus, start, with(3));
  std::vector<TileEvent> events;
  try {
    events = simulation.step_tracing(13);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unavailable);
    EXPECT_FALSE(GetParam().starts_with("cpu/ladder/")) << error.what();
    return;  // it cuts the world its own way, and says so
  }
  EXPECT_EQ(simulation.grid(), after(start, Rule(), Topology::torus, 13));
  EXPECT_EQ(simulation.generation(), 13u);
  const bool skips = simulation.tile_counts().skipped > 0;
  std::map<std::uint64_t, Grid> computed;
  std::map<int, double> ends;
  double last = 0;
  for (const TileEvent& event : events) {
    ASSERT_LT(event.generation, 13u);
    ASSERT_GE(event.thread, 0);
    ASSERT_LT(event.thread, 3);
    ASSERT_GE(event.begin, last);
    ASSERT_GE(event.end, event.begin);
    ASSERT_GE(event.begin, ends[event.thread]);
    last = event.begin;
    ends[event.thread] = event.end;
    Grid& seen = computed.try_emplace(event.generation, 700, 300).first->second;
    for (std::int64_t y = 0; y < event.tile.height; ++y) {
      for (std::int64_t x = 0; x < event.tile.width; ++x) {
        ASSERT_FALSE(seen.alive(event.tile.x + x, event.tile.y + y)) << "computed twice";
        seen.set(event.tile.x + x, event.tile.y + y);
      }
    }
  }
  for (const auto& [generation, seen] : computed) {
    EXPECT_TRUE(skips || seen.population() == 700u * 300u) << "in the pass from generation " << generation;
  }
  EXPECT_TRUE(computed.contains(0));
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

// The live cells of each generation, however they are counted.
TEST_P(EveryBoard, CountsEachGeneration) {
  if (!runs(Rule())) GTEST_SKIP() << "refuses Life";
  for (const Rule& rule : {Rule(), Rule::parse("B0123478/S01234678")}) {
    if (!runs(rule)) continue;
    for (const Topology topology : {Topology::plane, Topology::torus}) {
      for (const auto& [width, height] : std::vector<std::pair<int, int>>{
               {5, 3}, {64, 20}, {301, 77}, {4224, 41}, {4096, 20}, {9001, 13}}) {
        if (width > 1000 && !GetParam().starts_with("cuda/")) continue;
        const Grid start = Grid::random(width, height, 0.4, 8);
        if (!takes(rule, topology, start)) continue;
        Simulation simulation(rule, topology, start, with(2));
        Grid expected = start;
        for (const int part : {1, 3, 6, 17}) {
          const std::vector<std::uint64_t> counts = simulation.step_counting(static_cast<unsigned>(part));
          ASSERT_EQ(counts.size(), static_cast<std::size_t>(part));
          for (const std::uint64_t count : counts) {
            expected = after(expected, rule, topology, 1);
            ASSERT_EQ(count, expected.population())
                << rule.str() << " " << to_string(topology) << " " << width << " x " << height;
          }
          ASSERT_EQ(simulation.grid(), expected);
          simulation.step(5);
          expected = after(expected, rule, topology, 5);
          ASSERT_EQ(simulation.population(), expected.population());
        }
        EXPECT_EQ(simulation.generation(), 47u);
      }
    }
  }
}

TEST_P(EveryBoard, ComparesGenerations) {
  if (!runs(Rule())) GTEST_SKIP() << "refuses Life";
  for (const Topology topology : {Topology::plane, Topology::torus}) {
    for (const auto& [width, height] :
         std::vector<std::pair<int, int>>{{5, 3}, {64, 20}, {301, 77}, {4224, 41}, {9001, 13}}) {
      if (width > 1000 && !GetParam().starts_with("cuda/")) continue;
      const Grid start = Grid::random(width, height, 0.4, 8);
      if (!takes(Rule(), topology, start)) continue;
      Simulation simulation(Rule(), topology, start, with(2));
      Grid expected = after(start, Rule(), topology, 7);
      simulation.step(7);
      const std::vector<Activity> activities = simulation.step_comparing(3);
      ASSERT_EQ(activities.size(), 3u);
      for (const Activity& activity : activities) {
        const Grid before = expected;
        expected = after(expected, Rule(), topology, 1);
        std::uint64_t changed = 0;
        for (std::int64_t y = 0; y < height; ++y) {
          for (std::int64_t x = 0; x < width; ++x)
            changed += before.alive(x, y) != expected.alive(x, y) ? 1 : 0;
        }
        ASSERT_EQ(activity.changed, changed) << to_string(topology) << " " << width << " x " << height;
        ASSERT_EQ(activity.population, expected.population());
      }
      ASSERT_EQ(simulation.grid(), expected);
      ASSERT_EQ(simulation.generation(), 10u);
    }
  }
}

// Observers are called, and who asks may stop.
TEST_P(EveryBoard, ComparesGenerationsOnAPlaneWithoutEdges) {
  Pattern start;
  start.cells = Grid::random(30, 30, 0.5, 5);
  if (!runs(Rule()) || !takes_growing(Rule(), start)) GTEST_SKIP() << "only worlds of certain sizes";
  Simulation simulation = Simulation::unbounded(Rule(), start, with(2));
  Simulation expected = Simulation::unbounded(Rule(), start);
  int observed = 0;
  const Observation observation = simulation.observe(20, [&](const Simulation&) { ++observed; });
  const std::vector<Activity> activities = simulation.step_comparing(60);
  ASSERT_EQ(activities.size(), 60u);
  EXPECT_EQ(observed, 3);
  const std::vector<std::uint64_t> populations = expected.step_counting(60);
  for (std::size_t i = 0; i < activities.size(); ++i) ASSERT_EQ(activities[i].population, populations[i]);
  EXPECT_EQ(simulation.hash(), expected.hash());
  EXPECT_LT(simulation.step_comparing(1000, [] { return false; }).size(), 1000u);
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

// What dies far from the rest, in the generation before a board looks again where cells live (BlockBoard:
// each 64), is gone from both of its buffers, on whichever side it was.
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
  for (const char* name : {"Life", "HighLife", "Seeds", "LifeWithoutDeath"}) {
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

// Kernels for worlds of certain sizes: these are some, and others are refused.
TEST(Gpu, WorldsOnTheChip) {
  Options on_chip, plain;
  on_chip.kernel = "cuda/chip";
  plain.kernel = "cpu/bits";
  const std::vector<KernelInfo> kernels = list_kernels();
  const auto chip = std::find_if(kernels.begin(), kernels.end(),
                                 [](const KernelInfo& kernel) { return kernel.name == "cuda/chip"; });
  if (chip == kernels.end()) GTEST_SKIP() << "a build without CUDA";
  if (!chip->runs) GTEST_SKIP() << chip->reason;
  const std::vector<std::tuple<Topology, int, int>> worlds = {
      {Topology::torus, 32, 1},      {Topology::torus, 32, 37},     {Topology::torus, 64, 8},
      {Topology::torus, 992, 65},    {Topology::torus, 1024, 777},  {Topology::torus, 1024, 1024},
      {Topology::torus, 2048, 200},  {Topology::torus, 4096, 1000}, {Topology::torus, 8192, 301},
      {Topology::torus, 1024, 4999}, {Topology::torus, 2048, 4500}, {Topology::torus, 4096, 5000},
      {Topology::plane, 1, 1},       {Topology::plane, 37, 100},    {Topology::plane, 1000, 333},
      {Topology::plane, 2040, 50},   {Topology::plane, 4090, 64},   {Topology::plane, 8190, 130}};
  for (const char* name : {"Life", "B3678/S345", "B0123478/S01234678"}) {
    for (const auto& [topology, width, height] : worlds) {
      const Rule rule = Rule::parse(name);
      const Grid start = Grid::random(width, height, 0.4, 5);
      Simulation tried(rule, topology, start, on_chip), expected(rule, topology, start, plain);
      for (const std::uint64_t part : {1, 3, 16, 17, 150}) {
        tried.step(part);
        expected.step(part);
        ASSERT_EQ(tried.hash(), expected.hash()) << name << " " << to_string(topology) << " " << width
                                                 << " x " << height << " at " << expected.generation();
      }
      ASSERT_EQ(tried.grid(), expected.grid());
    }
  }
  EXPECT_THROW(Simulation(Rule(), Topology::torus, Grid(1000, 100), on_chip), Error);
  EXPECT_THROW(Simulation(Rule(), Topology::torus, Grid(16384, 100), on_chip), Error);
}

// Boards of one shape share a function, though they need more or less of its shared memory.
TEST(Gpu, BoardsOnTheChipByTurns) {
  Options on_chip, plain;
  on_chip.kernel = "cuda/chip";
  plain.kernel = "cpu/bits";
  const std::vector<KernelInfo> kernels = list_kernels();
  const auto chip = std::find_if(kernels.begin(), kernels.end(),
                                 [](const KernelInfo& kernel) { return kernel.name == "cuda/chip"; });
  if (chip == kernels.end()) GTEST_SKIP() << "a build without CUDA";
  if (!chip->runs) GTEST_SKIP() << chip->reason;
  std::vector<Simulation> tried, expected;
  for (const int height : {6000, 5000, 1000}) {
    const Grid start = Grid::random(4096, height, 0.4, 6);
    tried.emplace_back(Rule(), Topology::torus, start, on_chip);
    expected.emplace_back(Rule(), Topology::torus, start, plain);
  }
  for (int turn = 0; turn < 2; ++turn) {
    for (std::size_t i = 0; i < tried.size(); ++i) {
      tried[i].step(20);
      expected[i].step(20);
      ASSERT_EQ(tried[i].hash(), expected[i].hash()) << tried[i].height() << " rows";
    }
  }
}

// Noise that comes to rest, so that most of it sleeps, in worlds of several strips whose rows end anywhere;
// what is left of it wakes and falls asleep again.
TEST(Gpu, WorldsThatComeToRest) {
  const std::vector<KernelInfo> kernels = list_kernels();
  const auto lazy = std::find_if(kernels.begin(), kernels.end(),
                                 [](const KernelInfo& kernel) { return kernel.name == "cuda/strided_lazy"; });
  if (lazy == kernels.end()) GTEST_SKIP() << "a build without CUDA";
  if (!lazy->runs) GTEST_SKIP() << lazy->reason;
  Options named, automatic, cpu;
  named.kernel = "cuda/strided_lazy";
  automatic.device = "cuda";
  cpu.device = "cpu";
  for (const Topology topology : {Topology::torus, Topology::plane}) {
    for (const auto& [width, height] : std::vector<std::pair<int, int>>{
             {9000, 400}, {8192, 603}, {12345, 333}, {4001, 1005}, {16384, 250}, {7424, 129}, {1000, 1000}}) {
      const Grid start = Grid::random(width, height, 0.4, 11);
      Simulation expected(Rule(), topology, start, cpu);
      std::vector<Simulation> tried;
      tried.emplace_back(Rule(), topology, start, named);
      tried.emplace_back(Rule(), topology, start, automatic);
      TileCounts before;
      for (const std::uint64_t part : {3000, 12000, 7, 5993, 1, 6000, 3, 12000}) {
        before = tried[0].tile_counts();
        expected.step(part);
        for (Simulation& simulation : tried) {
          simulation.step(part);
          ASSERT_EQ(simulation.hash(), expected.hash())
              << simulation.kernel() << ", " << to_string(topology) << " " << width << " x " << height
              << " at " << simulation.generation();
        }
      }
      const TileCounts counts = tried[0].tile_counts();
      EXPECT_GT(counts.skipped - before.skipped, counts.computed - before.computed)
          << to_string(topology) << " " << width << " x " << height;
    }
  }
}

// Boards of different rules that are alive together do not share what their kernels make of a rule: tables.
// The first use of each rule falls into the time when both run.
TEST(Gpu, BoardsAtOnceHaveTablesOfTheirOwn) {
  const std::vector<KernelInfo> kernels = list_kernels();
  std::vector<std::string> others;  // the devices of the second board
  for (const DeviceInfo& device : list_devices()) {
    if (device.name == "cuda:0" || device.name == "cuda:1") others.push_back(device.name);
  }
  const Grid start = Grid::random(301, 203, 0.4, 9);
  Options plain;
  plain.kernel = "cpu/reference";
  for (const char* name : {"cuda/ladder/05_lut_256", "cuda/ladder/06_lut_1024", "cuda/ladder/12_patch_lut",
                           "cuda/ladder/13_patch_lut_shared"}) {
    const auto kernel = std::find_if(kernels.begin(), kernels.end(),
                                     [&](const KernelInfo& listed) { return listed.name == name; });
    if (kernel == kernels.end()) GTEST_SKIP() << "a build without CUDA";
    if (!kernel->runs) GTEST_SKIP() << kernel->reason;
    for (const auto& [first, second] : std::vector<std::pair<const char*, const char*>>{
             {"Life", "B0123478/S01234678"}, {"B3678/S345", "B36/S124"}, {"B1357/S1357", "B35/S236"}}) {
      for (const std::string& other : others) {
        const Rule rules[] = {Rule::parse(first), Rule::parse(second)};
        std::vector<Simulation> tried, expected;
        for (const Rule& rule : rules) {
          Options options;
          options.kernel = name;
          options.device = tried.empty() ? "cuda:0" : other;
          tried.emplace_back(rule, Topology::torus, start, options);
          expected.emplace_back(rule, Topology::torus, start, plain);
        }
        const auto agree = [&](const char* how) {
          for (std::size_t i = 0; i < 2; ++i) {
            ASSERT_EQ(tried[i].grid(), expected[i].grid())
                << name << " " << rules[i].str() << " on " << other << " " << how << " at "
                << expected[i].generation();
          }
        };

        const auto advance = [&](std::size_t i) {
          for (std::uint64_t part = 1; part <= 20; ++part) tried[i].step(part);
        };
        std::future<void> beside = std::async(std::launch::async, advance, 0);
        advance(1);
        beside.get();
        for (Simulation& simulation : expected) simulation.step(210);
        ASSERT_NO_FATAL_FAILURE(agree("side by side"));

        for (const std::uint64_t part : {1, 2, 1, 5}) {
          for (std::size_t i = 0; i < 2; ++i) {
            tried[i].step(part);
            expected[i].step(part);
          }
          ASSERT_NO_FATAL_FAILURE(agree("by turns"));
        }
      }
    }
  }
}

// Thread blocks of every kind, and every number of bytes a thread, in worlds that are multiples of none.
TEST(Gpu, ThreadBlocksOfUnusualShapes) {
  const std::vector<ThreadBlock> rows = {{1, 1}, {3, 1}, {32, 1}, {100, 1}, {1024, 1}};
  const std::vector<ThreadBlock> rectangles = {{32, 32}, {1, 64}, {7, 3}, {1, 1024}, {512, 2}, {2, 5}};
  std::vector<KernelInfo> kernels = list_kernels();
  kernels.erase(std::remove_if(kernels.begin(), kernels.end(),
                               [](const KernelInfo& kernel) {
                                 return kernel.backend != Backend::cuda || kernel.block.width == 0;
                               }),
                kernels.end());
  if (kernels.empty()) GTEST_SKIP() << "a build without CUDA";
  for (const KernelInfo& kernel : kernels) {
    if (!kernel.runs) GTEST_SKIP() << kernel.reason;
    std::vector<ThreadBlock> blocks = rows;
    if (kernel.block.height > 1) blocks.insert(blocks.end(), rectangles.begin(), rectangles.end());
    std::vector<int> bytes = {kernel.bytes_a_thread};
    if (bytes.front() != 0) {
      bytes.resize(max_bytes_a_thread);
      std::iota(bytes.begin(), bytes.end(), 1);
    }
    for (const Topology topology : {Topology::plane, Topology::torus}) {
      for (const auto& [width, height] : std::vector<std::pair<int, int>>{{1, 1}, {37, 5}, {301, 77}}) {
        const Rule rule = Rule::parse("B3678/S345");
        const Grid start = Grid::random(width, height, 0.4, 3);
        const Grid expected = after(start, rule, topology, 5);
        for (const ThreadBlock& block : blocks) {
          for (const int bytes_a_thread : bytes) {
            Options options;
            options.kernel = kernel.name;
            options.block = block;
            if (bytes_a_thread != 0) options.bytes_a_thread = bytes_a_thread;
            Simulation simulation(rule, topology, start, options);
            simulation.step(5);
            ASSERT_EQ(simulation.grid(), expected)
                << kernel.name << " in thread blocks of " << to_string(block) << ", " << bytes_a_thread
                << " bytes a thread, " << to_string(topology) << " " << width << " x " << height;
            ASSERT_TRUE(simulation.launch_shape());
            EXPECT_EQ(to_string(simulation.launch_shape()->block), to_string(block));
            EXPECT_EQ(simulation.launch_shape()->bytes_a_thread, bytes_a_thread);
          }
        }
      }
    }
  }
}

// What a CUDA kernel takes of a GPU is known of every one, and asking and timing change no cell.
TEST_P(EveryBoard, TellsItsResources) {
  if (!runs(Rule())) GTEST_SKIP() << "refuses Life";
  const bool cuda = GetParam().starts_with("cuda/");
  for (const Topology topology : {Topology::plane, Topology::torus}) {
    const Grid start = Grid::random(320, 200, 0.4, 7);
    if (!takes(Rule(), topology, start)) continue;
    Simulation simulation(Rule(), topology, start, with(1));
    simulation.step(3);
    const std::optional<KernelResources> resources = simulation.resources();
    const std::optional<ConversionTimes> times = simulation.time_conversion();
    ASSERT_EQ(resources.has_value(), cuda);
    ASSERT_EQ(times.has_value(), cuda);
    if (cuda) {
      EXPECT_GT(resources->registers, 0);
      EXPECT_LE(resources->registers, 255);
      EXPECT_GE(resources->shared_bytes, 0);
      if (resources->occupancy) {
        EXPECT_GT(*resources->occupancy, 0);
        EXPECT_LE(*resources->occupancy, 1);
      }
      EXPECT_GT(times->encode_seconds, 0);
      EXPECT_GT(times->decode_seconds, 0);
    }
    simulation.step(14);
    EXPECT_EQ(simulation.grid(), after(start, Rule(), topology, 17)) << to_string(topology);
  }
}

// Where no kernel is named, noise comes to rest and a few cells fill a world: both move it to the other
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
  const TileCounts counts = simulation.tile_counts();
  EXPECT_GE(counts.computed, 100u);
  EXPECT_GE(counts.computed, counts.changed);
  EXPECT_GE(counts.changed, 100u);
  EXPECT_GT(counts.skipped, 30 * counts.computed);
  EXPECT_EQ((counts.computed + counts.skipped) % 100, 0u) << "each of 100 passes counts every tile";
}

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const auto* entry = kernels::table; entry->name != nullptr; ++entry) names.emplace_back(entry->name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Table, EveryBoard, testing::ValuesIn(kernel_names()),
                         [](const auto& test_case) { return test_name(test_case.param); });

}  // namespace
}  // namespace moorea::test
