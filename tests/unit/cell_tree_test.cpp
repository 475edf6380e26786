// SPDX-License-Identifier: MIT
// Cells that are far apart: trees of runs against grids, windows of trees, files without a rectangle.
#include "moorea/cell_tree.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

#include "model/placed_quadtree.h"
#include "model/quadtree_squares.h"
#include "moorea/error.h"
#include "moorea/hashlife.h"
#include "moorea/simulation.h"

namespace moorea {
namespace {

// The cells of a tree by the runs of its rows.
Grid grid_of_runs(const Quadtree& tree, const Box& box) {
  Grid cells(box.width, box.height);
  Position last = {INT64_MIN, INT64_MIN};
  for_each_run(tree, [&](std::int64_t x, std::int64_t y, std::int64_t length) {
    EXPECT_TRUE(y > last.y || (y == last.y && x > last.x)) << "runs of a row are joined, and in order";
    last = {x + length, y};
    for (std::int64_t i = 0; i < length; ++i) cells.set(x + i - box.x, y - box.y);
  });
  return cells;
}

Quadtree tree_of_grid(const Grid& cells, const Position& at) {
  QuadtreeOfRuns runs;
  for (std::int64_t y = 0; y < cells.height(); ++y) {
    for (std::int64_t x = 0; x < cells.width(); ++x)
      if (cells.alive(x, y)) runs.add(at.x + x, at.y + y, 1);
  }
  return runs.tree();
}

BigBox big_box(const Box& box) { return {box.x, box.y, box.right() - 1, box.bottom() - 1}; }

std::string temporary_file(const std::string& name) {
  return (std::filesystem::path(testing::TempDir()) / name).string();
}

void expect_window(const Quadtree& tree, const Box& window, const Grid& expected) {
  const Quadtree part = cropped(tree, window);
  EXPECT_EQ(part.window(window), expected);
  EXPECT_EQ(population(part), BigInteger(expected.population()));
  const PlacedQuadtree placed = cropped(PlacedQuadtree{tree, {}, {}}, big_box(window));
  EXPECT_EQ(at_origin(placed).window(window), expected);
}

TEST(CellTree, HasTheCellsOfItsRuns) {
  std::mt19937 random(5);
  for (int i = 0; i < 40; ++i) {
    const auto below = [&](int limit) {
      return static_cast<std::int64_t>(random() % static_cast<unsigned>(limit));
    };
    const Grid cells = Grid::random(1 + below(70), 1 + below(50), i % 2 == 0 ? 0.5 : 0.02, random());
    const Box box = Box{below(200) - 100, below(200) - 100, cells.width(), cells.height()};
    const Quadtree tree = tree_of_grid(cells, box.position());
    EXPECT_EQ(tree.window(box), cells);
    EXPECT_EQ(grid_of_runs(tree, box), cells);
    EXPECT_EQ(population(tree), BigInteger(cells.population()));
    // As the tree that a grid is divided into
    EXPECT_EQ(Quadtree::of(cells, box.position()).any_bounding_box().has_value(),
              tree.any_bounding_box().has_value());

    for (const int size : {2, 5, 9, 30, 90, 90}) {
      const Box window = {below(200) - 100, below(200) - 100, 1 + below(size), 1 + below(size)};
      expect_window(tree, window, cells.crop(window.translated({-box.x, -box.y})));
    }
    // Across the origin, at which all squares of a tree meet
    const Box window = {-2, -3, 5, 5};
    expect_window(tree, window, cells.crop(window.translated({-box.x, -box.y})));
  }
}

TEST(CellTree, WindowsHaveCoordinatesOfAnySize) {
  // A glider, moved by a multiple of 2^100 in a tree of its own
  Quadtree tree = tree_of_grid(parse_pattern("bo$2bo$3o!", "glider.rle").cells, {-3, 5});
  const BigInteger far = BigInteger::power_of_two(1000);
  const PlacedQuadtree placed = {tree, far, -far};
  const auto box = bounding_box(placed);
  ASSERT_TRUE(box);
  EXPECT_EQ(box->left, far - 3);
  EXPECT_EQ(box->bottom, BigInteger(7) - far);
  const PlacedQuadtree row =
      cropped(placed, {far - 3, BigInteger(7) - far, far + 100, BigInteger(1000) - far});
  EXPECT_EQ(population(row.tree), BigInteger(3));
  EXPECT_EQ(bounding_box(row)->left, far - 3);
  EXPECT_EQ(bounding_box(row)->right, far - 1);
  EXPECT_EQ(population(cropped(placed, {0, 0, 10, 10}).tree), BigInteger(0));
  EXPECT_THROW(at_origin(placed), Error);
  EXPECT_THROW(cropped(placed, {-far, -far, far, far}), Error);
}

TEST(CellTree, FarCellsGoFromFilesToWorldsAndBack) {
  // Two gliders on a diagonal: a rectangle of 10^18 cells
  const std::string start = temporary_file("far.rle"), end = temporary_file("far-end.rle"),
                    tree = temporary_file("far.mc");
  constexpr std::int64_t apart = 1'000'000'000;
  {
    const Grid glider = parse_pattern("bo$2bo$3o!", "glider.rle").cells;
    Simulation world = Simulation::unbounded(Rule(), Pattern{}, {});
    world.paste(glider, {-7, 11});
    world.paste(glider, {apart, apart});
    const CellTree cells = CellTree::of(world);
    EXPECT_EQ(cells.population(), BigInteger(10));
    Pattern facts;
    facts.comments = {"far apart"};
    facts.generation = 12;
    cells.write(start, facts);
    cells.write(tree, facts);
    EXPECT_LT(std::filesystem::file_size(start), 200u);
    EXPECT_THROW(cells.write(temporary_file("far.cells"), facts), Error);
  }
  for (const std::string& file : {start, tree}) {
    std::optional<CellTree> sparse;
    const Pattern facts = read_pattern(file, sparse);
    ASSERT_TRUE(sparse) << file;
    EXPECT_EQ(facts.generation, 12u);
    EXPECT_EQ(facts.comments, std::vector<std::string>{"far apart"});
    Simulation world = Simulation::of(facts);
    sparse->paste_to(world);
    EXPECT_EQ(world.population(), 10u);
    world.step(4000);
    EXPECT_EQ(world.generation(), 4012u);
    const Box live = {993, 1011, apart + 10, apart - 8};
    EXPECT_EQ(world.bounding_box(), live);

    HashLife tree_world = HashLife::of(*sparse, WorldSpec(), {});
    tree_world.step(4000);
    EXPECT_EQ(tree_world.hash(), world.hash());
    // The upper left glider alone, as a grid has it
    const BigBox window = {900, 1000, 1100, 1100};
    const Box near = *window.as_box();
    const Grid expected = world.window(near);
    EXPECT_EQ(expected.population(), 5u);
    for (const CellTree& cells : {tree_world.crop(window), CellTree::of(world).crop(window)}) {
      EXPECT_EQ(at_origin(cells.cells()).window(near), expected);
      cells.write(end, {}, "", window);
      const Pattern written = read_pattern(end);
      EXPECT_EQ(written.header, (Size{201, 101}));
      EXPECT_EQ(written.position, (Position{900, 1000}));
      EXPECT_EQ(written.cells, expected.crop({0, 0, written.cells.width(), written.cells.height()}));
      EXPECT_EQ(written.cells.population(), 5u);
    }
  }
}

TEST(CellTree, TextIsThatOfTheFile) {
  const CellTree cells = CellTree::of(std::vector<Position>{{0, 0}, {1, 0}, {1'000'000'000, -7}});
  Pattern facts;
  facts.rule = "B36/S23";
  facts.generation = 12;
  facts.name = "far";
  for (const std::string format : {"rle", "mc"}) {
    const std::string path = temporary_file("text." + format);
    cells.write(path, facts);
    std::ifstream file(path);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    EXPECT_EQ(cells.text(facts, format, text.size()), text);
    EXPECT_THROW(static_cast<void>(cells.text(facts, format, text.size() - 1)), Error) << format;
    std::filesystem::remove(path);
  }
  EXPECT_THROW(static_cast<void>(cells.text(facts, "pbm", 1000)), Error);
}

TEST(CellTree, ARunOfHashLifeHasWindowsAnywhere) {
  // A glider moves by a cell in four generations: by 2^298 in 2^300
  Pattern glider = parse_pattern("bo$2bo$3o!", "glider.rle");
  glider.position = Position{-20, 30};
  HashLife world = HashLife::of(glider, WorldSpec(), {});
  world.step(BigInteger::power_of_two(300));
  const BigInteger moved = BigInteger::power_of_two(298);
  const BigBox around = {moved - 25, moved + 20, moved + 20, moved + 40};
  const CellTree cells = world.crop(around);
  EXPECT_EQ(cells.population(), BigInteger(5));
  EXPECT_EQ(cells.bounding_box()->left, moved - 20);
  EXPECT_EQ(cells.bounding_box()->bottom, moved + 32);
  EXPECT_EQ(world.crop({-25, -25, 50, 50}).population(), BigInteger(0));
  // Its coordinates are in a comment, as no file has such ones
  const std::string file = temporary_file("moved.rle");
  cells.write(file, {}, "", around);
  const Pattern read = read_pattern(file);
  EXPECT_FALSE(read.position);
  EXPECT_EQ(read.comments, std::vector<std::string>{"The upper left cell is at " + around.left.str() + ", " +
                                                    around.top.str()});
  EXPECT_EQ(read.header, (Size{46, 21}));
  EXPECT_THROW(cells.write(temporary_file("moved.mc"), {}), Error);
  EXPECT_THROW(HashLife::of(cells, WorldSpec(), {}), Error);
  world.write(file);
  EXPECT_EQ(read_pattern(file).cells.population(), 5u);
  EXPECT_FALSE(read_pattern(file).position);
  EXPECT_THROW(world.write(temporary_file("moved.cells")), Error);
}

TEST(CellTree, ARunOfHashLifeIsWrittenInEveryFormat) {
  const Grid soup = Grid::random(90, 70, 0.4, 3);
  Pattern about;
  about.name = "Soup";
  about.comments = {"a comment"};
  const WorldSpec torus = {Rule(), Topology::torus, 128, 64};
  for (const WorldSpec& world : {WorldSpec(), torus}) {
    Pattern start;
    start.cells = world.is_torus() ? soup.crop({0, 0, 90, 60}) : soup;
    HashLife tree = HashLife::of(start, world, {});
    tree.step(50);
    const Pattern expected = tree.snapshot();
    for (const char* name : {"a.rle", "a.mc", "a.cells", "a.life", "a.rle.gz"}) {
      const std::string file = temporary_file(name);
      tree.write(file, about);
      const Pattern read = read_pattern(file);
      EXPECT_EQ(Simulation::of(read, world).hash(), Simulation::of(expected, world).hash()) << name;
      if (std::string(name) == "a.life") continue;
      EXPECT_EQ(read.name, "Soup") << name;
      EXPECT_EQ(read.comments, about.comments) << name;
      EXPECT_EQ(read.generation, 50u) << name;
    }
    tree.set_generation(BigInteger(-7));
    for (const char* name : {"negative.rle", "negative.mc"}) {
      tree.write(temporary_file(name));
      EXPECT_EQ(read_pattern(temporary_file(name)).generation, 0u);
    }
    const std::string whole = temporary_file("whole.rle");
    tree.write(whole, about, "", true);
    if (world.is_torus()) {
      EXPECT_EQ(read_pattern(whole).header, (Size{128, 64}));
    }
  }
}

TEST(CellTree, GenerationsThatFilesDoNotSayAreRefused) {
  const CellTree cells = CellTree::of(std::vector<Position>{{0, 0}});
  Pattern facts;
  facts.generation = std::uint64_t{1} << 63;
  EXPECT_THROW(cells.write(temporary_file("late.rle"), facts), Error);
  EXPECT_THROW(static_cast<void>(cells.text(facts, "mc", 1000)), Error);
  --facts.generation;
  const std::string file = temporary_file("last.rle");
  cells.write(file, facts);
  EXPECT_EQ(read_pattern(file).generation, facts.generation);
}

TEST(CellTree, OnlySparseFilesAreTrees) {
  const auto is_sparse = [](const std::string& text) {
    const std::string file = temporary_file("maybe.rle");
    std::ofstream(file) << text;
    std::optional<CellTree> sparse;
    const Pattern pattern = read_pattern(file, sparse);
    EXPECT_EQ(pattern.cells.empty(), sparse.has_value());
    return sparse.has_value();
  };
  EXPECT_FALSE(is_sparse("x = 3, y = 3, rule = B3/S23\nbo$2bo$3o!\n"));
  EXPECT_FALSE(is_sparse("x = 8192, y = 8192, rule = B3/S23\no8191$8191bo!\n"));
  EXPECT_TRUE(is_sparse("x = 8193, y = 8192, rule = B3/S23\no8191$8192bo!\n"));
  // A run that fills the memory is refused before
  QuadtreeOfRuns runs;
  EXPECT_THROW(runs.add(0, 0, std::int64_t{1} << 50), Error);
  std::optional<CellTree> sparse;
  std::ofstream(temporary_file("wrong.rle")) << "x = 3, y = 3\n100000000b3o!\n";
  EXPECT_THROW(read_pattern(temporary_file("wrong.rle"), sparse), Error);
}

}  // namespace
}  // namespace moorea
