// SPDX-License-Identifier: MIT
// Values at their limits, and what programs that use the library may do with them.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>

#include "error_kind.h"
#include "moorea/big_integer.h"
#include "moorea/bundled.h"
#include "moorea/cell_tree.h"
#include "moorea/census.h"
#include "moorea/checkpoint.h"
#include "moorea/error.h"
#include "moorea/hashlife.h"
#include "moorea/pattern.h"
#include "moorea/simulation.h"
#include "moorea/support/scratch_folder.h"
#include "moorea/transitions.h"

namespace moorea::test {
namespace {

constexpr std::uint64_t late = std::uint64_t{1} << 63;

TEST(Values, PastingIntoItself) {
  Grid grid(70, 20);
  grid.set(0, 0);
  grid.set(65, 3);
  Grid expected = grid;
  expected.paste(Grid(grid), {1, 1});
  grid.paste(grid, {1, 1});
  EXPECT_EQ(grid, expected);
  EXPECT_EQ(grid.population(), 3u);
  Cells cells(8, 8, 5);
  cells.set(3, 3, 4);
  cells.paste(cells, {1, 1});
  EXPECT_EQ(cells.state(4, 4), 4);
  EXPECT_EQ(cells.live().population(), 1u);  // dead cells are pasted, too
}

TEST(Values, IntegersOfAllTypes) {
  EXPECT_EQ(BigInteger(1ull << 40).str(), "1099511627776");
  EXPECT_EQ(BigInteger(5u).str(), "5");
  EXPECT_EQ(BigInteger(-10ll).str(), "-10");
  EXPECT_EQ(BigInteger(std::numeric_limits<unsigned long long>::max()).str(), "18446744073709551615");
  EXPECT_EQ(BigInteger(static_cast<short>(-3)).str(), "-3");
}

TEST(Values, AFileWithoutSparseCellsLeavesNone) {
  std::optional<CellTree> sparse;
  (void)parse_pattern("#Life 1.06\n0 0\n99999999999 5\n", "far", sparse);
  ASSERT_TRUE(sparse.has_value());
  EXPECT_EQ(parse_pattern("x = 3, y = 1\n3o!\n", "near", sparse).cells.population(), 3u);
  EXPECT_FALSE(sparse.has_value());
}

TEST(Values, CoordinatesOfTreesEnd) {
  constexpr std::int64_t last = std::numeric_limits<std::int64_t>::max();
  const std::vector<Position> cells = {{0, 0}, {last - 1, -last - 1}};
  EXPECT_EQ(CellTree::of(cells).population().str(), "2");
  EXPECT_EQ(kind_of([&] { (void)CellTree::of(std::vector<Position>{{0, 0}, {last, 0}}); }), ErrorKind::usage);
}

TEST(Values, WhatReadersRefuseIsNotWritten) {
  Pattern pattern = parse_pattern("x = 3, y = 1\n3o!\n", "text");
  for (const char* const format : {"rle", "mc", "life106", "cells"}) {
    pattern.position = Position{(std::int64_t{1} << 60) + 1, 0};
    EXPECT_EQ(kind_of([&] { (void)format_pattern(pattern, format); }), ErrorKind::usage) << format;
    pattern.position = Position{std::int64_t{1} << 59, 0};
    pattern.generation = late;
    EXPECT_EQ(kind_of([&] { (void)format_pattern(pattern, format); }), ErrorKind::usage) << format;
    pattern.generation = 0;
    EXPECT_NO_THROW((void)format_pattern(pattern, format)) << format;
  }
}

TEST(Values, GenerationsEnd) {
  Simulation simulation(Rule(), Topology::torus, Grid(5, 5));
  simulation.set_generation(std::numeric_limits<std::uint64_t>::max() - 2);
  EXPECT_EQ(kind_of([&] { simulation.step(3); }), ErrorKind::usage);
  EXPECT_EQ(simulation.step(2), 2u);
}

TEST(Values, CellsOutsideATorusAreRefused) {
  HashLife world(WorldSpec{Rule(), Topology::torus, 64, 64});
  Grid cells(65, 65);
  cells.set(3, 3);
  EXPECT_NO_THROW(world.reset(cells));
  cells.set(64, 64);
  EXPECT_EQ(kind_of([&] { world.reset(cells); }), ErrorKind::usage);
  EXPECT_EQ(world.population().str(), "1");
}

TEST(Values, RootsOfCensusesAreLines) {
  CensusSpec spec;
  for (const char* const root : {"", "a\nb"}) {
    spec.root = root;
    EXPECT_EQ(kind_of([&] { check_census(spec); }), ErrorKind::usage) << root;
  }
}

TEST(Values, PastedCellsCountTowardsTheMemoryOfAPlane) {
  for (const char* const kernel : {"cpu/bits", ""}) {
    Options options;
    options.memory = 200'000;
    options.kernel = kernel;
    const Rule rule = *kernel != 0 ? Rule() : Rule::parse("/2/3");
    Simulation plane = Simulation::unbounded(rule, bundled_pattern("acorn.rle"), options);
    const std::uint64_t hash = plane.hash();
    EXPECT_EQ(kind_of([&] { plane.paste(Grid::random(3000, 3000, 0.5, 1), {10000, 0}); }), ErrorKind::memory);
    EXPECT_EQ(plane.hash(), hash) << kernel;
  }
}

TEST(Values, TreesOfTransitionsAreComplete) {
  const auto by = [](std::vector<std::int32_t> nodes, std::int32_t root, int states) {
    Transitions::Tree tree;
    tree.nodes = std::move(nodes);
    tree.root = root;
    tree.states = states;
    return Rule::by(Transitions("Own", tree));
  };
  const std::vector<std::int32_t> chain = {1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 0, 1, 2};  // keeps its state
  EXPECT_EQ(by(chain, 0, 3).states(), 3);
  EXPECT_EQ(kind_of([&] { by({}, 0, 3); }), ErrorKind::usage);
  EXPECT_EQ(kind_of([&] { by(chain, 5, 3); }), ErrorKind::usage);
  EXPECT_EQ(kind_of([&] { by(chain, 0, 300); }), ErrorKind::usage);
  EXPECT_EQ(kind_of([&] { by(chain, 1, 3); }), ErrorKind::usage);  // ends a cell too early
  std::vector<std::int32_t> wrong = chain;
  wrong.back() = 3;
  EXPECT_EQ(kind_of([&] { by(wrong, 0, 3); }), ErrorKind::usage);
}

// As in Golly (bgolly 3.3): if a transition fits in two ways, the variable that is first in the alphabet has
// changed fastest.
TEST(Values, AmbiguousTransitionsAreThoseOfGolly) {
  const auto centre = [](const std::string& variables, const std::string& transition) {
    const Rule rule = Rule::by(
        Transitions::parse("@RULE Two\n@TABLE\nn_states:4\nneighborhood:vonNeumann\nsymmetries:rotate4\n" +
                               variables + transition,
                           "Two"));
    Cells cells(9, 9, 4);
    cells.set(4, 3, 1);  // .A. / B.B / .A.
    cells.set(3, 4, 2);
    cells.set(5, 4, 2);
    cells.set(4, 5, 1);
    Simulation simulation(WorldSpec{rule, Topology::plane, 9, 9}, cells);
    simulation.step();
    return simulation.states(simulation.box()).state(4, 4);
  };
  EXPECT_EQ(centre("var e={0,1,2,3}\nvar d={1,2,3}\n", "0,d,e,d,e,d\n"), 2);
  EXPECT_EQ(centre("var d={1,2,3}\nvar e={0,1,2,3}\n", "0,d,e,d,e,d\n"), 2);
  EXPECT_EQ(centre("var a={0,1,2,3}\nvar d={1,2,3}\n", "0,d,a,d,a,d\n"), 1);
  EXPECT_EQ(centre("var e={3,2,1,0}\nvar d={1,2,3}\n", "0,d,e,d,e,d\n"), 1);
  EXPECT_EQ(centre("var e={0,1,2,3}\nvar d={1,2,3}\n", "0,d,e,d,e,e\n"), 1);
}

TEST(Values, RunsContinueAsTheWorldsThatTheyWere) {
  if (const char* const reason = checkpoints_unavailable_reason()) GTEST_SKIP() << reason;
  const ScratchFolder folder;
  const auto continued = [&](Simulation& world) {
    const std::string path = folder.path() / "checkpoint";
    CheckpointSaver saver(path);
    saver.save(world);
    saver.wait();
    EXPECT_EQ(saver.report().failure, "");
    return CheckpointReader(path).simulation();
  };
  Grid cells(20, 20);
  cells.paste(bundled_pattern("glider.rle").cells, {17, 17});
  Simulation surface(WorldSpec::on(Rule(), Mesh::make("torus:20x20")), cells);
  Simulation same = continued(surface);
  surface.step(100);
  same.step(100);
  EXPECT_EQ(same.topology(), Topology::surface);
  EXPECT_EQ(same.hash(), surface.hash());
  // The box of these cells would take a hundred gigabytes
  Simulation acorn = Simulation::unbounded(Rule(), bundled_pattern("acorn.rle"));
  acorn.step(2'000'000);
  Simulation far = continued(acorn);
  EXPECT_EQ(far.generation(), 2'000'000u);
  EXPECT_EQ(far.hash(), acorn.hash());
  far.step(5000);
  EXPECT_EQ(far.population(), 633u);
}

// The file that is there stays if the next one cannot be written.
TEST(Values, LateGenerationsHaveNoCheckpoints) {
  if (const char* const reason = checkpoints_unavailable_reason()) GTEST_SKIP() << reason;
  const ScratchFolder folder;
  const std::string path = folder.path() / "checkpoint";
  Simulation world(Rule(), Topology::torus, Grid::random(64, 64, 0.3, 1));
  CheckpointSaver saver(path);
  for (const std::uint64_t generation : {late - 1, late, late}) {
    world.set_generation(generation);
    saver.save(world);
    saver.wait();
  }
  EXPECT_EQ(saver.report().written, 1u);
  EXPECT_EQ(saver.report().failed, 2u);
  EXPECT_NE(saver.report().failure.find("2^63 - 1"), std::string::npos) << saver.report().failure;
  EXPECT_EQ(CheckpointReader(path).header().generation, late - 1);
}

TEST(Values, NumbersOfAllGenerationsNeedMemory) {
  Simulation world(Rule(), Topology::torus, Grid(64, 64));
  const std::uint64_t most = std::uint64_t{1} << 50;
  EXPECT_EQ(kind_of([&] { (void)world.step_counting(most); }), ErrorKind::memory);
  EXPECT_EQ(kind_of([&] { (void)world.step_comparing(most); }), ErrorKind::memory);
  EXPECT_EQ(world.generation(), 0u);
}

}  // namespace
}  // namespace moorea::test
