// SPDX-License-Identifier: MIT
// Tiles: size, schedule and placement change no cell, lazy kernels skip inactive tiles, and tiles are
// counted.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "definition.h"
#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/lab/instruments.h"
#include "moorea/simulation.h"
#include "small_patterns.h"

namespace moorea::test {
namespace {

std::vector<KernelInfo> kernels_with_tiles() {
  std::vector<KernelInfo> kernels;
  for (const KernelInfo& kernel : list_kernels()) {
    if (kernel.tile.width > 0 && kernel.runs) kernels.push_back(kernel);
  }
  return kernels;
}

Options with(const std::string& kernel, const TileSize& tile, int threads = 1) {
  Options options;
  options.kernel = kernel;
  options.tile = tile;
  options.threads = threads;
  return options;
}

TEST(Tiles, SizesSchedulesAndPlacesDoNotMatter) {
#ifdef MOOREA_SANITIZED
  constexpr unsigned one_in = 9;
#else
  constexpr unsigned one_in = 7;
#endif
  const Rule rules[] = {Rule(), Rule::parse("B0123478/S01234678")};
  ASSERT_FALSE(kernels_with_tiles().empty());
  unsigned turn = 0;
  for (const Rule& rule : rules) {
    for (const Topology topology : {Topology::plane, Topology::torus}) {
      const Grid start = Grid::random(197, 101, 0.1, 3);
      const Grid expected = after(start, rule, topology, 40);
      for (const KernelInfo& kernel : kernels_with_tiles()) {
        const std::vector<TileSize> tiles =
            kernel.layout == "bits"
                ? std::vector<TileSize>{{64, 1}, {128, 13}, {64000, 7}, {64, 100000}}
                : std::vector<TileSize>{{1, 50}, {33, 7}, {64, 1}, {196, 100}, {100000, 100000}};
        for (const TileSize& tile : tiles) {
          for (const char* schedule : {"static", "static,2", "dynamic,3", "guided"}) {
            // Each kernel meets each tile and each schedule; `./test --all` has all three together
            if (!test_everything() && turn++ % one_in != 0) continue;
            Options options = with(kernel.name, tile, 3);
            options.schedule = parse_schedule(schedule);
            options.placement = Placement::spread;
            Simulation simulation(rule, topology, start, options);
            simulation.step(39);
            simulation.step(1);
            ASSERT_EQ(simulation.grid(), expected)
                << kernel.name << " " << rule.str() << " " << to_string(topology) << ", tiles " << tile.width
                << " x " << tile.height << ", " << schedule;
          }
        }
      }
    }
  }
}

TEST(Tiles, SharesOfWideThreadsDoNotMatter) {
  int kernels = 0;
  for (const KernelInfo& kernel : list_kernels()) {
    if (kernel.wide_share == 0 || !kernel.runs) continue;
    ++kernels;
    const Grid start = Grid::random(197, 101, 0.3, 3);
    const Grid expected = after(start, Rule(), Topology::torus, 10);
    for (const double share : {0.0, 0.25, 0.5, 1.0}) {
      Options options = with(kernel.name, {40, 7}, 3);
      options.wide_share = share;
      Simulation simulation(Rule(), Topology::torus, start, options);
      simulation.step(10);
      EXPECT_EQ(simulation.grid(), expected) << kernel.name << ", share " << share;
      EXPECT_EQ(simulation.tiling()->wide_share, share);
    }
    EXPECT_EQ(Simulation(Rule(), Topology::torus, start, with(kernel.name, {40, 7})).tiling()->wide_share,
              kernel.wide_share);
  }
  if (kernels == 0) GTEST_SKIP() << "no kernel with vectors of two widths runs here";
}

TEST(Tiles, SharesOfWideThreadsAreRefusedByKernelsOfOneWidth) {
  const auto refusal = [](const std::string& kernel, double share) {
    Options options;
    options.kernel = kernel;
    options.wide_share = share;
    try {
      Simulation(Rule(), Topology::torus, Grid(64, 64), options);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      return std::string(error.what());
    }
    return std::string();
  };
  for (const char* kernel : {"cpu/bits", "cpu/ladder/02_tiled", "cpu/strided", ""})
    EXPECT_NE(refusal(kernel, 0.5).find("no configurable share of wide threads"), std::string::npos)
        << kernel;
  for (const double share : {-0.1, 1.5, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_NE(refusal("cpu/bits", share).find("expected 0 to 1"), std::string::npos);
}

Grid world_with(const char* rle, std::int64_t x, std::int64_t y) {
  Grid world(640, 640);
  world.paste(parse_pattern(std::string("x = 0, y = 0\n") + rle, "test").cells, {x, y});
  return world;
}

// Tiles computed in each of some generations after the first few.
std::vector<std::uint64_t> computed(const std::string& kernel, const Grid& start, Topology topology) {
  Simulation simulation(Rule(), topology, start, with(kernel, {64, 64}));
  simulation.step(4);
  std::vector<std::uint64_t> counts;
  for (int i = 0; i < 6; ++i) {
    const TileCounts before = tile_counts(simulation);
    simulation.step(1);
    const TileCounts now = tile_counts(simulation);
    counts.push_back(now.computed - before.computed);
    EXPECT_EQ(now.computed - before.computed + now.skipped - before.skipped, 100u) << kernel;
  }
  return counts;
}

const std::vector<std::uint64_t> none(6, 0), nine(6, 9);

TEST(Tiles, LazyComputesOnlyNeighbourhoodsThatChange) {
  for (const KernelInfo& kernel : kernels_with_tiles()) {
    if (!kernel.name.starts_with("cpu/ladder/09_lazy")) continue;
    const std::string& lazy = kernel.name;
    for (const Topology topology : {Topology::plane, Topology::torus}) {
      EXPECT_EQ(computed(lazy, world_with(block_rle, 100, 100), topology), none) << lazy;
      EXPECT_EQ(computed(lazy, world_with(blinker_rle, 350, 350), topology), nine) << lazy;
      EXPECT_EQ(computed(lazy, world_with(glider_rle, 350, 350), topology), nine) << lazy;
    }
    // In a corner of the world nine on a torus, where its neighbours are at the opposite edges, four on a
    // plane
    EXPECT_EQ(computed(lazy, world_with(blinker_rle, 5, 5), Topology::torus), nine) << lazy;
    EXPECT_EQ(computed(lazy, world_with(blinker_rle, 5, 5), Topology::plane),
              std::vector<std::uint64_t>(6, 4))
        << lazy;
  }
}

TEST(Tiles, LazyOnBitsLeavesOutPeriodTwoToo) {
  for (const KernelInfo& kernel : kernels_with_tiles()) {
    if (!kernel.name.starts_with("cpu/ladder/14_bits_lazy")) continue;
    for (const Topology topology : {Topology::plane, Topology::torus}) {
      EXPECT_EQ(computed(kernel.name, world_with(block_rle, 100, 100), topology), none) << kernel.name;
      EXPECT_EQ(computed(kernel.name, world_with(blinker_rle, 350, 350), topology), none) << kernel.name;
      EXPECT_EQ(computed(kernel.name, world_with(glider_rle, 350, 350), topology), nine) << kernel.name;
    }
    // The blinker goes on although nobody computes it
    Simulation simulation(Rule(), Topology::plane, world_with(blinker_rle, 350, 350),
                          with(kernel.name, {64, 64}));
    for (int generation = 1; generation <= 9; ++generation) {
      simulation.step();
      const Box expected = generation % 2 == 1 ? Box{351, 349, 1, 3} : Box{350, 350, 3, 1};
      EXPECT_EQ(simulation.bounding_box(), expected) << kernel.name << ", generation " << generation;
    }
  }
}

// At first the buffer to write to holds no earlier generation: where everything dies at once, what is written
// is what is there, and yet the next generation is not what the other buffer still holds.
TEST(Tiles, WhatDiesAtOnceStaysDead) {
  for (const KernelInfo& kernel : kernels_with_tiles()) {
    Simulation simulation(Rule(), Topology::torus, world_with("o!", 100, 100), with(kernel.name, {64, 64}));
    for (int generation = 1; generation <= 4; ++generation) {
      simulation.step();
      EXPECT_EQ(simulation.population(), 0u) << kernel.name << ", generation " << generation;
    }
  }
}

// A glider that runs into a block and a blinker after the tiles in between have slept for long, and flies
// across the torus's edges.
TEST(Tiles, SleepingTilesWakeUp) {
  Grid start(200, 200);
  start.paste(parse_pattern("x = 0, y = 0\nbo$2bo$3o!", "glider").cells, {20, 20});
  start.paste(parse_pattern("x = 0, y = 0\n2o$2o!", "block").cells, {3, 180});
  start.paste(parse_pattern("x = 0, y = 0\n3o!", "blinker").cells, {100, 99});
  std::vector<Grid> states = {start};
  for (int i = 0; i < 12; ++i) states.push_back(after(states.back(), Rule(), Topology::torus, 61));
  for (const KernelInfo& kernel : kernels_with_tiles()) {
    if (kernel.name.find("lazy") == std::string::npos) continue;
    Simulation simulation(Rule(), Topology::torus, start, with(kernel.name, {64, 8}, 2));
    for (std::size_t i = 1; i < states.size(); ++i) {
      simulation.step(61);
      ASSERT_EQ(simulation.grid(), states[i]) << kernel.name << " at " << simulation.generation();
    }
    EXPECT_GT(tile_counts(simulation).skipped, 0u) << kernel.name;
  }
}

TEST(Tiles, AVX2SaysWhichTilesChanged) {
  const std::string name = "cpu/ladder/04_avx2";
  for (const KernelInfo& kernel : list_kernels()) {
    if (kernel.name == name && !kernel.runs) GTEST_SKIP() << kernel.reason;
  }
  Simulation still(Rule(), Topology::torus, world_with(block_rle, 100, 100), with(name, {100, 100}));
  still.step(10);
  EXPECT_EQ(tile_counts(still).changed, 0u);
  // A blinker in the middle of a tile, and one whose four changing cells lie in three tiles
  Simulation one(Rule(), Topology::torus, world_with(blinker_rle, 150, 150), with(name, {100, 100}));
  one.step(10);
  EXPECT_EQ(tile_counts(one).changed, 10u);
  Simulation corner(Rule(), Topology::torus, world_with(blinker_rle, 198, 200), with(name, {100, 100}));
  corner.step(10);
  EXPECT_EQ(tile_counts(corner).changed, 30u);
}

// The temporal kernels do eight generations in one call, also where a plane's edge is near.
TEST(Tiles, TemporalKernelsDoEightGenerationsACall) {
  for (const KernelInfo& kernel : kernels_with_tiles()) {
    if (!kernel.name.starts_with("cpu/ladder/13_bits_temporal")) continue;
    EXPECT_EQ(kernel.max_steps, 8);
    for (const Topology topology : {Topology::plane, Topology::torus}) {
      const Grid start = Grid::random(100, 60, 0.5, 1);
      Simulation simulation(Rule(), topology, start, with(kernel.name, {64, 30}));
      simulation.step(19);
      // 8 + 8 + 3 generations, two by two tiles
      EXPECT_EQ(tile_counts(simulation).computed, 12u) << kernel.name << " " << to_string(topology);
      EXPECT_EQ(simulation.grid(), after(start, Rule(), topology, 19)) << kernel.name;
    }
  }
}

TEST(Tiles, CountsGoOnWhenAPlaneGrows) {
  Pattern start;
  start.cells = Grid::random(20, 20, 0.5, 3);
  Simulation simulation = Simulation::unbounded(Rule(), start, with("cpu/ladder/02_tiled", {64, 64}));
  std::uint64_t before = 0;
  const std::int64_t width = simulation.width();
  while (simulation.width() == width && simulation.generation() < 5000) {
    simulation.step();
    ASSERT_GT(tile_counts(simulation).computed, before);
    before = tile_counts(simulation).computed;
  }
  EXPECT_GT(simulation.width(), width);
}

TEST(Tiles, OptionsThatCannotBeAreRefused) {
  const Grid world(100, 100);
  const auto refusal = [&](const Options& options) -> std::string {
    try {
      Simulation(Rule(), Topology::torus, world, options);
    } catch (const Error& error) {
      return error.kind() == ErrorKind::usage ? error.what() : "wrong kind";
    }
    return "";
  };
  EXPECT_NE(refusal(with("cpu/bits", {64, 64})).find("has no configurable tile size"), std::string::npos);
  EXPECT_NE(refusal(with("", {64, 64})).find("has no configurable tile size"), std::string::npos);
  EXPECT_NE(refusal(with("cpu/ladder/02_tiled", {0, 64})).find("expected 1x1"), std::string::npos);
  EXPECT_NE(refusal(with("cpu/ladder/02_tiled", {64, std::int64_t{1} << 40})).find("expected 1x1"),
            std::string::npos);
  EXPECT_NE(refusal(with("cpu/ladder/14_bits_lazy", {65, 64})).find("a multiple of 64"), std::string::npos);
  EXPECT_EQ(refusal(with("cpu/ladder/02_tiled", {65, 64})), "");
  EXPECT_EQ(refusal(with("cpu/ladder/14_bits_lazy", {64, 1})), "");
}

}  // namespace
}  // namespace moorea::test
