// SPDX-License-Identifier: MIT
// A plane that changes between cells and a tree at any generation equals a plane of one form, and passes
// between them without the rectangle around its cells.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "boards/board_squares.h"
#include "boards/plane_board.h"
#include "choose/choose.h"
#include "choose/window_steps.h"
#include "moorea/bundled.h"
#include "moorea/error.h"
#include "moorea/far_plane.h"
#include "moorea/hashlife.h"
#include "moorea/simulation.h"
#include "trees/tree_squares.h"

namespace moorea::test {
namespace {

Options plane_options(const char* kernel = "") {
  Options options;
  options.kernel = kernel;
  options.device = "cpu";
  options.threads = 1;
  return options;
}

// The forms that a simulation without a named kernel has.
PlaneForms default_forms(const Rule& rule) {
  const Choice choice = choose({rule, Topology::unbounded, 0, 0}, plane_options());
  PlaneForms forms;
  forms.make_cells = [=] {
    Choice cells = choice;
    cells.may_be_tree = false;
    return make_unbounded_board(rule, cells, 0);
  };
  forms.make_tree = [=] {
    return std::make_unique<TreeBoard>(WorldSpec{rule, Topology::unbounded, 0, 0},
                                       base_steps_by(window_kernels().front()), engine_options(64 << 20));
  };
  return forms;
}

void expect_same(const Board& plane, const Simulation& other) {
  const Box live = other.bounding_box().value_or(Box{});
  EXPECT_EQ(plane.population(), other.population());
  EXPECT_EQ(plane.hash({}), other.hash());
  EXPECT_EQ(plane.bounding_box().value_or(Box{}), live);
  ASSERT_EQ(plane.window(live.expanded(3)), other.window(live.expanded(3)));
}

TEST(Plane, IsExactAcrossChangesAtRandomGenerations) {
  std::mt19937 random(5);
  const auto number = [&](int from, int to) { return std::uniform_int_distribution<int>(from, to)(random); };
  for (int i = 0; i < 12; ++i) {
    const Rule rule = Rule::parse(i % 4 == 3 ? "B36/S125" : "B3/S23");
    Pattern start;
    start.cells =
        Grid::random(number(1, 300), number(1, 200), i % 3 == 0 ? 0.05 : 0.45, static_cast<std::uint64_t>(i));
    start.position = Position{number(-5000, 5000), number(-5000, 5000)};
    int changes = 0;
    PlaneForms forms = default_forms(rule);
    forms.switches = [&] { return number(0, 3) == 0 && ++changes > 0; };
    PlaneBoard plane(rule, std::move(forms));
    Simulation other = Simulation::unbounded(rule, start, plane_options("cpu/bits"));
    plane.load(start.cells, *start.position);
    for (int part = 0; part < 12; ++part) {
      const auto generations = static_cast<std::uint64_t>(number(1, 40));
      if (number(0, 1) == 0) {
        plane.advance(plane.prepare(generations));
        other.step(generations);
        // A board of cells may prepare less
        if (plane.generations() != BigInteger(other.generation()))
          plane.advance(*(BigInteger(other.generation()) - plane.generations()).as_unsigned());
      } else {
        plane.advance_far(generations, {});
        other.step(generations);
      }
      expect_same(plane, other);
      if (part % 5 == 4) {
        const Grid patch = Grid::random(number(1, 90), number(1, 40), 0.5, 3);
        const Position at = *start.position + Position{number(-60, 60), number(-60, 60)};
        plane.write(patch, at, PasteMode::bitwise_xor);
        other.paste(patch, at, PasteMode::bitwise_xor);
      }
    }
    EXPECT_GT(changes, 0);
    std::vector<std::uint64_t> populations(7);
    plane.advance_counting(7, populations.data());
    EXPECT_EQ(populations, other.step_counting(7));
    EXPECT_EQ(plane.advance_comparing(), other.step_comparing(1).front().changed);
    expect_same(plane, other);
  }
}

TEST(Plane, PassesDistantCellsAsSquares) {
  const Rule rule;
  PlaneForms forms = default_forms(rule);
  const std::unique_ptr<Board> cells = forms.make_cells();
  std::unique_ptr<TreeBoard> tree = forms.make_tree();
  std::mt19937_64 random(3);
  const auto far = [&] {
    return std::uniform_int_distribution<std::int64_t>(-(std::int64_t{1} << 59),
                                                       std::int64_t{1} << 59)(random);
  };
  cells->load(Grid::random(200, 100, 0.5, 1), {-77, -33});
  for (int i = 0; i < 20; ++i) cells->write(Grid::random(70, 90, 0.4, 2), {far(), far()}, PasteMode::replace);
  const CellSquares squares = squares_of(*cells);
  EXPECT_LT(squares.size(), 21u * 16);
  tree->load_squares(squares);
  EXPECT_EQ(tree->population(), cells->population());
  EXPECT_EQ(tree->hash({}), cells->hash({}));
  std::optional<CellSquares> back = squares_of(tree->tree().store(), tree->tree().universe(), squares.size());
  ASSERT_TRUE(back);
  EXPECT_EQ(back->size(), squares.size());
  EXPECT_FALSE(squares_of(tree->tree().store(), tree->tree().universe(), squares.size() - 1));
  const std::unique_ptr<Board> again = forms.make_cells();
  again->load_squares(*back);
  EXPECT_EQ(again->hash({}), cells->hash({}));
  again->advance(100);
  cells->advance(100);
  EXPECT_EQ(again->hash({}), cells->hash({}));
}

// 2^40 generations as cells would take days.
TEST(Plane, AdvancesAGunAsATree) {
  const Rule rule;
  const Pattern gun = parse_pattern(
      "x = 36, y = 9, rule = B3/S23\n"
      "24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o$2o8bo3bob2o4bobo$10bo5bo7bo$11bo3bo$12b2o!",
      "gun.rle");
  PlaneBoard plane(rule, default_forms(rule));
  plane.load(gun.cells, {});
  const BigInteger generations = BigInteger(30) << 40;
  EXPECT_TRUE(plane.advance_far(generations, {}));
  EXPECT_EQ(plane.form(), PlaneForm::tree);
  EXPECT_EQ(plane.far_population(), BigInteger(36) + (BigInteger(5) << 40));
  ASSERT_FALSE(plane.changes().empty());
  EXPECT_TRUE(plane.changes().back().to_tree);
  // The library's simulation does the same
  Simulation simulation = Simulation::unbounded(rule, gun, plane_options());
  std::uint64_t seen = 0;
  const Observation counts = simulation.observe(3ull << 30, [&](const Simulation&) { ++seen; });
  simulation.step(30ull << 30, [] { return true; });
  EXPECT_EQ(simulation.population(), 36 + (5ull << 30));
  EXPECT_EQ(seen, 10u);
}

TEST(Plane, StopsWhenItIsAsked) {
  PlaneBoard plane(Rule(), default_forms(Rule()));
  plane.load(Grid::random(300, 300, 0.5, 1), {});
  int calls = 0;
  EXPECT_FALSE(plane.advance_far(BigInteger::power_of_two(80), [&] { return ++calls < 3; }));
  EXPECT_GT(plane.generations(), BigInteger(0));
  const std::unique_ptr<TreeBoard> other = default_forms(Rule()).make_tree();
  other->load(Grid::random(300, 300, 0.5, 1), {});
  other->tree().advance(plane.generations());
  EXPECT_EQ(plane.hash({}), other->hash({}));
}

TEST(FarPlane, HasNumbersOfAnySize) {
  const Pattern gun = bundled_pattern("gosper-glider-gun.rle");
  const BigInteger generations = BigInteger::parse("10^25");
  FarPlane plane = FarPlane::of(gun, {}, plane_options());
  EXPECT_FALSE(plane.tree());
  HashLife tree = HashLife::of(gun, {});
  EXPECT_TRUE(plane.step(generations));
  tree.step(generations);
  EXPECT_EQ(plane.generation(), generations);
  EXPECT_EQ(plane.population(), tree.population());
  EXPECT_EQ(plane.hash(), tree.hash());
  EXPECT_EQ(plane.bounding_box()->width(), tree.bounding_box()->width());
  ASSERT_FALSE(plane.changes().empty());
  EXPECT_TRUE(plane.changes().back().to_tree);
  EXPECT_GT(plane.changes().back().tree_speed, plane.changes().back().cells_speed);
  const HashLife end = std::move(plane).into_tree();
  EXPECT_EQ(end.generation(), generations);
  EXPECT_EQ(end.hash(), tree.hash());
}

TEST(FarPlane, ReturnsEarlyAndKeepsItsGeneration) {
  FarPlane plane = FarPlane::of(bundled_pattern("acorn.rle"), {}, plane_options());
  plane.set_generation(7);
  int calls = 0;
  EXPECT_FALSE(plane.step(BigInteger::power_of_two(200), [&] { return ++calls < 3; }));
  const BigInteger done = plane.generation() - 7;
  FarPlane other = FarPlane::of(bundled_pattern("acorn.rle"), {}, plane_options());
  EXPECT_TRUE(other.step(done));
  EXPECT_EQ(plane.hash(), other.hash());
  EXPECT_EQ(plane.population(), other.population());
  EXPECT_THROW(plane.step(-1), Error);
}

TEST(FarPlane, RefusesOtherWorldsWithTheReason) {
  const auto reason = [](const WorldSpec& world, const Options& options) {
    return FarPlane::refusal(world, options);
  };
  EXPECT_EQ(reason({}, plane_options()), "");
  EXPECT_NE(reason({}, plane_options("cpu/strided")).find("cpu/strided on cpu"), std::string::npos);
  EXPECT_NE(reason({Rule(), Topology::torus, 64, 64}, plane_options()).find("has a size"), std::string::npos);
  EXPECT_NE(reason({Rule::parse("B0/S23"), Topology::unbounded, 0, 0}, plane_options()).find("B0/S23"),
            std::string::npos);
  EXPECT_THROW(FarPlane::of(Pattern(), {Rule(), Topology::plane, 9, 9}, plane_options()), Error);
}

}  // namespace
}  // namespace moorea::test
