// SPDX-License-Identifier: MIT
// A simulation by HashLife answers every query as one by the other kernels does.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "moorea/cell_tree.h"
#include "moorea/error.h"
#include "moorea/hashlife.h"
#include "moorea/plan.h"
#include "moorea/simulation.h"

namespace moorea::test {
namespace {

Options with_kernel(const char* kernel) {
  Options options;
  options.kernel = kernel;
  options.threads = 1;
  return options;
}

std::vector<Position> positions_of(const Simulation& world, const Box& box) {
  std::vector<Position> cells;
  world.for_each_live(box, [&](Position at) { cells.push_back(at); });
  return cells;
}

void expect_equal(const Simulation& tree, const Simulation& other) {
  EXPECT_EQ(tree.generation(), other.generation());
  EXPECT_EQ(tree.population(), other.population());
  EXPECT_EQ(tree.hash(), other.hash());
  EXPECT_EQ(tree.bounding_box(), other.bounding_box());
  const Box live = other.bounding_box().value_or(Box{});
  const Box seen = live.expanded(7);
  ASSERT_EQ(tree.window(seen), other.window(seen));
  for (const std::int64_t scale : {1, 3, 16, 64, 1000}) {
    const Raster raster = {live.x - 5, live.y - 70, 9, 7, scale};
    EXPECT_EQ(tree.density(raster), other.density(raster)) << scale;
    EXPECT_EQ(tree.levels(raster, std::array<std::uint32_t, 2>{1, 5}),
              other.levels(raster, std::array<std::uint32_t, 2>{1, 5}));
  }
}

TEST(TreeBoard, AnswersAsTheGrowingPlane) {
  std::mt19937 random(11);
  for (int i = 0; i < 12; ++i) {
    const auto number = [&](int from, int to) {
      return std::uniform_int_distribution<int>(from, to)(random);
    };
    Pattern start;
    start.cells =
        Grid::random(number(1, 120), number(1, 120), i % 3 == 0 ? 0.03 : 0.4, static_cast<std::uint64_t>(i));
    start.position = Position{number(-9000, 9000), number(-9000, 9000)};
    const Rule rule = i % 4 == 3 ? Rule::parse("B36/S125") : Rule();
    Simulation tree = Simulation::unbounded(rule, start, with_kernel("hashlife"));
    Simulation other = Simulation::unbounded(rule, start, with_kernel("cpu/bits"));
    EXPECT_TRUE(tree.grows());
    EXPECT_EQ(tree.kernel(), "hashlife");
    EXPECT_EQ(tree.world(), other.world());
    expect_equal(tree, other);
    const auto generations = static_cast<std::uint64_t>(number(0, 90));
    tree.step(generations, [] { return true; });
    other.step(generations);
    expect_equal(tree, other);
    EXPECT_EQ(tree.step_counting(9), other.step_counting(9));
    const std::vector<Activity> ours = tree.step_comparing(4), theirs = other.step_comparing(4);
    for (std::size_t k = 0; k < theirs.size(); ++k) {
      EXPECT_EQ(ours[k].population, theirs[k].population);
      EXPECT_EQ(ours[k].changed, theirs[k].changed);
    }
    for (const PasteMode mode :
         {PasteMode::replace, PasteMode::bitwise_or, PasteMode::bitwise_xor, PasteMode::bitwise_and_not}) {
      const Grid patch = Grid::random(number(1, 90), number(1, 40), 0.5, 3);
      const Position at = *start.position + Position{number(-60, 60), number(-60, 60)};
      tree.paste(patch, at, mode);
      other.paste(patch, at, mode);
      expect_equal(tree, other);
    }
    EXPECT_EQ(tree.snapshot().cells, other.snapshot().cells);
    EXPECT_EQ(tree.snapshot().position, other.snapshot().position);
    tree.reset(start.cells, {3, 4});
    other.reset(start.cells, {3, 4});
    expect_equal(tree, other);
  }
}

TEST(TreeBoard, AnswersAsTheDenseTorus) {
  constexpr Size sizes[] = {{128, 32}, {32, 128}, {64, 64}, {8, 64}, {32, 2}, {4, 8}, {16, 16}, {1, 1}};
  for (const char* rule : {"B3/S23", "B0123478/S01234678", "B01/S1"}) {
    for (const Size size : sizes) {
      SCOPED_TRACE(std::string(rule) + " on " + std::to_string(size.width) + " x " +
                   std::to_string(size.height));
      const WorldSpec world = {Rule::parse(rule), Topology::torus, size.width, size.height};
      Pattern start;
      start.cells = Grid::random((size.width + 1) / 2, (size.height + 1) / 2, 0.4, 4);
      Simulation tree = Simulation::of(start, world, with_kernel("hashlife"));
      Simulation other = Simulation::of(start, world, with_kernel("cpu/bits"));
      std::uint64_t seed = 0;
      for (const std::uint64_t generations : {0, 1, 64, 30}) {
        tree.step(generations);
        other.step(generations);
        expect_equal(tree, other);
        EXPECT_EQ(tree.grid(), other.grid());
        EXPECT_EQ(positions_of(tree, tree.box()), positions_of(other, other.box()));
        const Grid patch = Grid::random(size.width / 2 + 5, size.height / 2 + 5, 0.5, ++seed);
        for (const PasteMode mode : {PasteMode::bitwise_xor, PasteMode::replace}) {
          const Position at = {size.width / 3, -3};
          tree.paste(patch, at, mode);
          other.paste(patch, at, mode);
          EXPECT_EQ(tree.grid(), other.grid());
        }
      }
      const Position at = {size.width / 2, size.height / 2};
      tree.reset(start.cells, at - Position{size.width / 2, 0});
      other.reset(start.cells, at - Position{size.width / 2, 0});
      expect_equal(tree, other);
    }
  }
}

TEST(TreeBoard, HasLargeToriWithoutTheirArea) {
  Pattern glider;
  glider.cells = Grid(3, 3);
  for (const Position& cell : {Position{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}})
    glider.cells.set(cell.x, cell.y, true);
  glider.position = {4, 4};
  constexpr int width = 30, height = 27;
  const WorldSpec world = {Rule(), Topology::torus, std::int64_t{1} << width, std::int64_t{1} << height};
  Simulation torus = Simulation::of(glider, world, with_kernel("hashlife"));
  const std::optional<Box> box = torus.bounding_box();
  EXPECT_EQ(box, (Box{world.width / 2 + 4, world.height / 2 + 4, 3, 3}));
  const std::uint64_t hash = torus.hash();
  torus.step(std::uint64_t{1} << (width + 1));
  EXPECT_EQ(torus.bounding_box(), box->translated({-world.width / 2, 0}));
  EXPECT_EQ(positions_of(torus, torus.box()), positions_of(torus, box->translated({-world.width / 2, 0})));
  torus.step(std::uint64_t{1} << (width + 1));
  EXPECT_EQ(torus.hash(), hash);
  EXPECT_EQ(torus.snapshot().cells, glider.cells);
  torus.paste(glider.cells, {world.width - 2, world.height - 2},
              PasteMode::replace);  // of which a cell is inside
  EXPECT_EQ(torus.population(), 6u);

  // A dense strip of few different squares, and one whose dead cells are alive
  Pattern cell;
  cell.cells = Grid(1, 1);
  cell.cells.set(0, 0, true);
  const WorldSpec strip = {Rule::parse("B1357/S1357"), Topology::torus, std::int64_t{1} << 40, 16};
  Simulation dense = Simulation::of(cell, strip, with_kernel("hashlife"));
  dense.step((std::uint64_t{1} << 34) - 1);
  const std::uint64_t dense_hash = dense.hash();
  EXPECT_GT(dense.population(), std::uint64_t{1} << 30);
  EXPECT_EQ(dense.bounding_box()->width, (std::int64_t{1} << 35) - 1);
  dense.paste(cell.cells, {7, 7}, PasteMode::bitwise_xor);
  EXPECT_NE(dense.hash(), dense_hash);
  dense.paste(cell.cells, {7, 7}, PasteMode::bitwise_xor);
  EXPECT_EQ(dense.hash(), dense_hash);
  const WorldSpec inverted = {Rule::parse("B0123478/S01234678"), Topology::torus, world.width, world.height};
  Simulation alive = Simulation::of(glider, inverted, with_kernel("hashlife"));
  alive.step(1);
  EXPECT_GT(alive.population(), std::uint64_t{1} << (width + height - 1));

  HashLife far = HashLife::of(glider, world);
  far.step(std::uint64_t{1} << (width + 2));
  EXPECT_EQ(far.hash(), hash);
  EXPECT_EQ(far.population(), 5);
  EXPECT_EQ(far.bounding_box()->as_box(), box);
}

TEST(TreeBoard, ReadsDistantCellsWithoutTheRectangle) {
  std::vector<Position> cells;
  std::mt19937_64 random(5);
  for (int i = 0; i < 300; ++i) {
    const int bits = std::uniform_int_distribution<int>(1, 58)(random);
    std::uniform_int_distribution<std::int64_t> number(-(std::int64_t{1} << bits), std::int64_t{1} << bits);
    cells.push_back({number(random), number(random)});
  }
  // A row in which squares are far apart, and neighbours across borders of squares
  for (std::int64_t x = 0; x < 40; ++x) cells.push_back({x << 50, 77});
  for (std::int64_t x = -3; x < 3; ++x) cells.push_back({x, -1 - x});
  std::ranges::sort(cells, {}, [](const Position& cell) { return std::pair(cell.y, cell.x); });
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  const Simulation tree = Simulation::of_tree(Rule(), CellTree::of(cells), with_kernel("hashlife"));
  EXPECT_EQ(positions_of(tree, tree.box()), cells);
  const Box part = {-5, -100, (std::int64_t{1} << 51) + 1, 300};
  std::erase_if(cells, [&](const Position& cell) { return !part.contains(cell); });
  EXPECT_EQ(positions_of(tree, part), cells);
  EXPECT_GT(cells.size(), 3u);
  EXPECT_TRUE(positions_of(tree, {std::int64_t{1} << 59, 0, 1 << 20, 1 << 20}).empty());
}

TEST(TreeBoard, IsRefusedWithTheReason) {
  const auto error_of = [](const WorldSpec& world, Options options) -> std::string {
    try {
      options.kernel = "hashlife";
      plan_run(world, options);
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_EQ(error_of({Rule(), Topology::torus, 64, 1024}, {}), "");
  EXPECT_EQ(error_of({Rule(), Topology::unbounded, 0, 0}, {}), "");
  EXPECT_NE(error_of({Rule(), Topology::torus, 64, 100}, {}).find("powers of two"), std::string::npos);
  EXPECT_NE(error_of({Rule(), Topology::plane, 64, 64}, {}).find("edge of a bounded plane"),
            std::string::npos);
  Options options;
  options.device = "opencl";
  EXPECT_NE(error_of({Rule(), Topology::unbounded, 0, 0}, options).find("does not run on device"),
            std::string::npos);
}

TEST(TreeBoard, FractionsAreThoseOfCellsAtAnyScale) {
  std::mt19937 random(3);
  const auto number = [&](std::int64_t from, std::int64_t to) {
    return std::uniform_int_distribution<std::int64_t>(from, to)(random);
  };
  for (int i = 0; i < 8; ++i) {
    Pattern start;
    start.cells = Grid::random(number(1, 300), number(1, 300), 0.4, static_cast<std::uint64_t>(i));
    start.position = Position{number(-70000, 70000), number(-70000, 70000)};
    Simulation tree = Simulation::unbounded(Rule(), start, with_kernel("hashlife"));
    Simulation other = Simulation::unbounded(Rule(), start, with_kernel("cpu/tiles"));
    // Far away, so that squares beyond 2^16 cells differ
    const Position far = {number(-1, 1) << 40, number(1, 2) << 39};
    for (Simulation* world : {&tree, &other}) world->paste(start.cells.view(), far, PasteMode::replace);
    for (int j = 0; j < 40; ++j) {
      const std::int64_t scale =
          j % 2 == 0 ? std::int64_t{1} << number(0, 45) : number(1, std::int64_t{1} << 41);
      const Position at = j % 3 == 0 ? far : *start.position;
      const Raster raster = {at.x + number(-9, 300) - number(0, 4) * scale,
                             at.y + number(-9, 300) - number(0, 4) * scale, number(1, 9), number(1, 9),
                             scale};
      const std::vector<float> seen = tree.fractions(raster);
      ASSERT_EQ(seen, other.fractions(raster)) << scale;
      if (scale > 2000) continue;
      const Grid cells = other.window({raster.x, raster.y, raster.columns * scale, raster.rows * scale});
      for (std::int64_t k = 0; k < raster.columns * raster.rows; ++k) {
        const Box square = {k % raster.columns * scale, k / raster.columns * scale, scale, scale};
        const auto live = static_cast<double>(cells.crop(square).population());
        ASSERT_EQ(seen[static_cast<std::size_t>(k)],
                  static_cast<float>(live / static_cast<double>(scale * scale)));
      }
    }
  }
  EXPECT_THROW((void)Simulation::unbounded(Rule(), Pattern(), with_kernel("hashlife"))
                   .fractions({0, 0, 1, 1, max_far_scale + 1}),
               Error);
}

TEST(TreeBoard, TreesOfCellsPassWithoutTheRectangle) {
  Pattern start;
  start.cells = Grid::random(90, 70, 0.4, 1);
  Simulation tree = Simulation::unbounded(Rule(), start, with_kernel("hashlife"));
  tree.paste(start.cells.view(), {std::int64_t{1} << 50, -7}, PasteMode::replace);
  const CellTree cells = tree.cell_tree();
  EXPECT_GT(cells.bytes(), 0u);
  for (const char* const kernel : {"hashlife", "cpu/tiles", ""}) {
    Simulation other = Simulation::of_tree(Rule(), cells, with_kernel(kernel));
    EXPECT_EQ(other.is_tree(), kernel != std::string("cpu/tiles"));
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(other.hash(), tree.hash());
      EXPECT_EQ(other.bounding_box(), tree.bounding_box());
      EXPECT_EQ(other.far_population(), BigInteger(tree.population()));
      EXPECT_EQ(Simulation::of_tree(Rule(), other.cell_tree(), with_kernel("hashlife")).hash(), tree.hash());
      other.step(40);
      if (kernel == std::string("hashlife")) tree.step(40);
      if (kernel != std::string("hashlife")) break;
    }
    tree = Simulation::of_tree(Rule(), cells, with_kernel("hashlife"));
  }
}

}  // namespace
}  // namespace moorea::test
