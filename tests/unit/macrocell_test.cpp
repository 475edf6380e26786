// SPDX-License-Identifier: MIT
// Macrocell files, and quadtrees of grids.
#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <utility>

#include "model/placed_quadtree.h"
#include "model/quadtree.h"
#include "model/quadtree_rows.h"
#include "moorea/error.h"
#include "moorea/pattern.h"
#include "trees/quadtrees.h"
#include "trees/universe.h"

namespace moorea {
namespace {

std::string macrocell_error(const std::string& lines) {
  try {
    parse_pattern("[M2] (test)\n" + lines, "test");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST(Macrocell, ReadsWhatGollyWrites) {
  // The beginning of Debian's catacryst.mc, and a glider in all corners of a root: equal squares once
  const Pattern one = parse_pattern(
      "[M2] (golly 2.0)\n#C a comment\n#R B36/S23\n#G 12\n$$$$$$$......*$\n4 0 0 0 1\n5 0 0 2 0\n", "test");
  EXPECT_EQ(one.rule, "B36/S23");
  EXPECT_EQ(one.generation, 12u);
  EXPECT_EQ(one.comments, std::vector<std::string>{"a comment"});
  EXPECT_EQ(one.format, "mc");
  EXPECT_EQ(one.cells.population(), 1u);
  // As Golly has it, the root's upper half ends with row 0
  EXPECT_EQ(one.position, (Position{-16 + 8 + 6, 8 + 7 + 1}));
  const Pattern four = parse_pattern("[M2]\r\n.*$..*$***$\r\n4 1 1 1 1\r\n", "test");
  EXPECT_EQ(four.cells.population(), 20u);
  EXPECT_EQ(four.position, (Position{-8, -7}));
  EXPECT_EQ(four.cells.width(), 11);
  EXPECT_TRUE(four.cells.alive(8 + 1, 0));
  // Squares of one and two levels, as files of rules with more states have them
  const Pattern small = parse_pattern("[M2]\n1 0 1 1 0\n2 1 0 0 1\n3 2 0 0 0\n4 0 0 0 3\n", "test");
  EXPECT_EQ(small.cells.population(), 4u);
  EXPECT_EQ(small.position, (Position{0, 1}));
  EXPECT_TRUE(small.cells.alive(1, 0) && small.cells.alive(0, 1) && small.cells.alive(3, 2) &&
              small.cells.alive(2, 3));
  EXPECT_TRUE(parse_pattern("[M2]\n", "test").cells.empty());  // as Golly writes an empty world
  EXPECT_TRUE(parse_pattern("[M2]\n4 0 0 0 0\n", "test").cells.empty());
}

TEST(Macrocell, KeepsCellsAtAnyPosition) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 60; ++round) {
    const auto side = [&] { return static_cast<std::int64_t>(1 + random() % (round % 3 == 0 ? 9 : 200)); };
    Pattern pattern;
    pattern.cells = Grid::random(side(), side(), round % 2 == 0 ? 0.5 : 0.01, random());
    const std::int64_t range = std::int64_t{1} << (round % 59 + 1);
    const auto coordinate = [&] {
      return static_cast<std::int64_t>(random() % (2 * static_cast<std::uint64_t>(range))) - range;
    };
    pattern.position = Position{coordinate(), coordinate()};
    pattern.rule = "B3/S23:T500,400";
    pattern.generation = random() >> 1;
    pattern.comments = {"one", "two"};
    pattern.name = "a name";
    const Pattern again = parse_pattern(format_pattern(pattern, "mc"), "test");
    EXPECT_EQ(again.cells.population(), pattern.cells.population());
    if (pattern.cells.population() == 0) continue;
    EXPECT_EQ(again.cells.hash(*again.position), pattern.cells.hash(*pattern.position)) << round;
    EXPECT_EQ(again.rule, pattern.rule);
    EXPECT_EQ(again.generation, pattern.generation);
    EXPECT_EQ(again.comments, pattern.comments);
    EXPECT_EQ(again.name, pattern.name);
    EXPECT_EQ(format_pattern(again, "mc"), format_pattern(pattern, "mc"));
  }
}

TEST(Macrocell, WritesEqualSquaresOnce) {
  Pattern pattern;
  pattern.cells = Grid(1024, 1024);
  for (std::int64_t y = 0; y < 1024; ++y) {
    for (std::int64_t x = y % 2; x < 1024; x += 2) pattern.cells.set(x, y);
  }
  pattern.position = Position{-512, -511};
  // A chessboard: one square per level, and a header
  const std::string text = format_pattern(pattern, "mc");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + (10 - 3 + 1)) << text;
  const Grid window = Quadtree::of(pattern.cells, *pattern.position).window({-3, -5, 7, 9});
  for (std::int64_t y = 0; y < 9; ++y) {
    for (std::int64_t x = 0; x < 7; ++x) EXPECT_EQ(window.alive(x, y), (x + y) % 2 != 0) << x << " " << y;
  }
}

TEST(Macrocell, BecomesAUniverseAndBack) {
  std::mt19937_64 random(4);
  for (int round = 0; round < 40; ++round) {
    const Grid cells = Grid::random(static_cast<std::int64_t>(1 + random() % 150),
                                    static_cast<std::int64_t>(1 + random() % 150), 0.3, random());
    const Position at = {static_cast<std::int64_t>(random() % 300) - 200,
                         static_cast<std::int64_t>(random() % 300) - 200};
    NodeStore store;
    const Universe universe = universe_of(store, Quadtree::of(cells, at));
    Grid window(cells.width(), cells.height());
    read_cells(store, universe, {at.x, at.y, cells.width(), cells.height()}, window.view());
    EXPECT_EQ(window, cells) << round;
    EXPECT_EQ(population(store, universe.level, universe.root), BigInteger(cells.population())) << round;
    EXPECT_EQ(quadtree_of(store, universe).window({at.x, at.y, cells.width(), cells.height()}), cells)
        << round;
  }
  // Roots of less than a leaf: a cell in each corner
  for (const int level : {1, 2, 3}) {
    const std::int64_t side = std::int64_t{1} << level;
    Grid cells(side, side);
    std::uint64_t bits = 0;
    for (const std::int64_t y : {std::int64_t{0}, side - 1}) {
      for (const std::int64_t x : {std::int64_t{0}, side - 1}) {
        cells.set(x, y);
        bits |= std::uint64_t{1} << (8 * y + x);
      }
    }
    Quadtree tree;
    tree.nodes.push_back({level, {}, bits});
    NodeStore store;
    const Universe universe = universe_of(store, tree);
    Grid window(side, side);
    read_cells(store, universe, {-side / 2, -side / 2, side, side}, window.view());
    EXPECT_EQ(window, cells) << level;
  }
  NodeStore store;
  EXPECT_FALSE(quadtree_of(store, Universe()).bounding_box());
}

TEST(Macrocell, CellsMoveByARow) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 200; ++round) {
    const auto side = [&] { return static_cast<std::int64_t>(1 + random() % (round % 2 == 0 ? 9 : 90)); };
    const Grid cells = Grid::random(side(), side(), round % 5 == 0 ? 0 : 0.3, random());
    const std::int64_t power = std::int64_t{8} << random() % 5;  // at borders of squares, and anywhere
    const auto near = [&] { return (static_cast<std::int64_t>(random() % 5) - 2) * power; };
    const Position at = {near() - (round % 3 == 0 ? cells.width() : 0),
                         near() - (round % 4 < 2 ? cells.height() : 0)};
    const Quadtree tree = Quadtree::of(cells, at);
    for (const auto& [move, rows] : {std::pair(RowMove::down, 1), std::pair(RowMove::up, -1)}) {
      const Quadtree moved = moved_by_a_row(tree, move);
      const Box there = {at.x, at.y + rows, cells.width(), cells.height()};
      EXPECT_EQ(moved.window(there), cells) << round;
      EXPECT_EQ(population(moved), population(tree)) << round;
      EXPECT_LE(moved.level(), tree.level() + 1) << round;
    }
  }
  // One square over another one without end
  Quadtree column;
  column.nodes.push_back({Quadtree::leaf_level, {}, ~std::uint64_t{0}});
  for (int level = 4; level <= Quadtree::max_level; ++level) {
    const auto below = static_cast<std::uint32_t>(column.nodes.size() - 1);
    column.nodes.push_back({level, {below, 0, below, 0}, 0});
  }
  EXPECT_THROW((void)moved_by_a_row(column, RowMove::down), Error);
  column.nodes.pop_back();
  EXPECT_EQ(population(moved_by_a_row(column, RowMove::up)), population(column));
}

TEST(Macrocell, RefusesWhatIsWrong) {
  EXPECT_EQ(macrocell_error("$\n4 0 0 0 2\n"),
            "test, line 3, column 9: there is no square 2 before this line");
  EXPECT_EQ(macrocell_error("*$\n5 1 0 0 0\n"), "test, line 3, column 3: square 1 has level 3, not 4");
  EXPECT_EQ(macrocell_error(".........$\n"),
            "test, line 2, column 9: a square has eight rows of eight cells");
  EXPECT_EQ(macrocell_error("$$$$$$$$$\n"), "test, line 2, column 9: a square has eight rows");
  EXPECT_EQ(macrocell_error("*x$\n"), "test, line 2, column 2: expected '.', '*' or '$'");
  EXPECT_EQ(macrocell_error("4 0 0 0\n"), "test, line 2, column 8: expected the number of a square");
  EXPECT_NE(macrocell_error("0 0 0 0 0\n").find("a level is 1 or more"), std::string::npos);
  EXPECT_NE(macrocell_error("900 0 0 0 0\n").find("2^120"), std::string::npos);
  EXPECT_NE(macrocell_error("4 0 0 0 0 7\n").find("expected the end of the line"), std::string::npos);
  // A live cell beyond all coordinates
  std::string deep = "*$\n";
  for (int level = 4; level < 80; ++level)
    deep += std::to_string(level) + " " + std::to_string(level - 3) + " 0 0 0\n";
  EXPECT_NE(macrocell_error(deep).find("only moorea run"), std::string::npos);
}

}  // namespace moorea
