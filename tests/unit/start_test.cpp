// SPDX-License-Identifier: MIT

#include <gtest/gtest.h>

#include <tuple>

#include "moorea/error.h"
#include "moorea/lab/starting_worlds.h"
#include "moorea/simulation.h"

namespace moorea {
namespace {

TEST(Start, NoiseIsTheGridsOwn) {
  EXPECT_EQ(starting_world("random:0.25:7", 300, 20), Grid::random(300, 20, 0.25, 7));
  EXPECT_EQ(starting_world("random", 300, 20), Grid::random(300, 20, 0.5, 0));
}

// Each pattern's known property holds for all its copies.
TEST(Start, DiehardsDie) {
  Simulation world({}, Topology::torus, starting_world("diehards", 256, 192));
  EXPECT_EQ(world.population(), 12 * 7u);
  world.step(129);
  EXPECT_GT(world.population(), 0u);
  world.step(1);
  EXPECT_EQ(world.population(), 0u);
}

TEST(Start, RPentominoesSettle) {
  // Each leaves six gliders: in a separate plane it has 116 cells then
  Simulation world({}, Topology::plane, starting_world("r-pentominoes:2048", 2048, 2048));
  EXPECT_EQ(world.population(), 5u);
  world.step(1103);
  EXPECT_EQ(world.population(), 116u);
}

TEST(Start, GunsShoot) {
  Simulation world({}, Topology::torus, starting_world("guns", 256, 256));
  EXPECT_EQ(world.population(), 4 * 36u);
  world.step(30);
  EXPECT_EQ(world.population(), 4 * 41u);
  world.step(30);
  EXPECT_EQ(world.population(), 4 * 46u);
}

TEST(Start, SpaceshipsKeepTheirCellsEveryFourGenerations) {
  Simulation world({}, Topology::torus, starting_world("spaceships:64", 512, 512));
  const std::uint64_t population = world.population();
  EXPECT_GT(population, 64 * 5u);
  world.step(4);
  EXPECT_EQ(world.population(), population);
}

// In five squares: the population of each pair when it has settled. A search of all distances printed them.
TEST(Start, DiehardPairsNeverDie) {
  Simulation world({}, Topology::torus, starting_world("diehard-pairs", 640, 128));
  EXPECT_EQ(world.population(), 10 * 7u);
  world.step(130);
  EXPECT_GT(world.population(), 100u);
  world.step(524 - 130);
  for (int generation = 524; generation < 530; ++generation) {
    const Grid before = world.grid();
    EXPECT_EQ(world.population(), 43 + 57 + 68 + 89 + 37u) << "generation " << generation;
    world.step(1);
    EXPECT_NE(world.grid(), before) << "it still oscillates";
  }
}

// Two cells every four generations: after 1024 generations each ship is back, having met no other.
TEST(Start, TheSwarmFliesAroundTheTorusUnchanged) {
  for (const char* name : {"swarm:16", "swarm"}) {
    const Grid start = starting_world(name, 512, 544);
    EXPECT_GT(start.population(), 100 * 9u) << name;
    Simulation world({}, Topology::torus, start);
    world.step(512);
    EXPECT_NE(world.grid(), start) << name;
    EXPECT_EQ(world.population(), start.population()) << name;
    world.step(512);
    EXPECT_EQ(world.grid(), start) << name;
  }
}

TEST(Start, ThePictureIsStill) {
  for (const auto& [name, width, height] : {std::tuple("still-picture", 512, 512),
                                            {"still-picture", 301, 203},
                                            {"still-picture:64", 200, 130},
                                            {"still-picture:67", 201, 134}}) {
    const Grid start = starting_world(name, width, height);
    const auto cells = static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height);
    EXPECT_GT(start.population(), cells / 20) << name;
    EXPECT_LT(start.population(), cells / 4) << name;
    Simulation world({}, Topology::torus, start);
    world.step(1);
    EXPECT_EQ(world.grid(), start) << name << ", " << width << " x " << height;
  }
}

// Numbers of cells of the metapixels of Golly's script metafier, for Life.
TEST(Start, MetapixelsAreWhole) {
  const Grid off = starting_world("otca-off", 2176, 2176), on = starting_world("otca-on", 2176, 2176);
  EXPECT_EQ(off.population(), 23928u);
  EXPECT_EQ(on.population(), 66211u);
  EXPECT_EQ(starting_world("otca-on:2058", 4116, 2058).population(), 2 * on.population());
  EXPECT_THROW(starting_world("otca-on:2057", 4116, 4116), Error);  // does not fit
  EXPECT_THROW(starting_world("otca-on", 2175, 2176), Error);       // a world without a square
}

TEST(Start, PatternsFromFiles) {
  const std::string acorn = MOOREA_SOURCE_DIR "/patterns/acorn.rle";
  EXPECT_EQ(starting_world("file:" + acorn, 100, 60).population(), 7u);
  EXPECT_EQ(starting_world("tiled:20:" + acorn, 100, 60).population(), 15 * 7u);
}

TEST(Start, MistakesAreNamed) {
  for (const char* name : {"", "soup", "random:2", "random:x", "random:0.5:-1", "guns:0", "guns:35",
                           "swarm:15", "still-picture:63", "still-picture:0", "diehard-pairs:15", "guns:1.5",
                           "tiled:8", "tiled:8:", "random:0.5:1:2"}) {
    EXPECT_THROW(starting_world(name, 200, 200), Error) << name;
  }
  EXPECT_THROW(starting_world("guns", 100, 100), Error);
  EXPECT_THROW(starting_world("file:no such file", 100, 100), Error);
}

}  // namespace
}  // namespace moorea
