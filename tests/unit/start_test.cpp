// SPDX-License-Identifier: MIT

#include <gtest/gtest.h>

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
                           "guns:1.5", "tiled:8", "tiled:8:", "random:0.5:1:2"}) {
    EXPECT_THROW(starting_world(name, 200, 200), Error) << name;
  }
  EXPECT_THROW(starting_world("guns", 100, 100), Error);
  EXPECT_THROW(starting_world("file:no such file", 100, 100), Error);
}

}  // namespace
}  // namespace moorea
