// SPDX-License-Identifier: MIT
// The sparse unbounded plane: cells at every row and column of its tiles, random worlds and edits, objects
// far apart, tiles that come and go, and its bounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "boards/sparse_board.h"
#include "choose/choose.h"
#include "definition.h"
#include "every_board.h"
#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/lab/instruments.h"
#include "sparse_worlds.h"

namespace moorea::test {
namespace {

std::unique_ptr<SparseBoard> sparse_board(const std::string& kernel, const Rule& rule, int threads = 1,
                                          std::uint64_t max_bytes = 0) {
  Options options;
  options.kernel = kernel;
  options.threads = threads;
  const Choice choice = choose({rule, Topology::unbounded, 0, 0}, options);
  auto board = std::make_unique<SparseBoard>(rule, choice.bound, choice.threads, max_bytes);
  board->load(Grid(1, 1), {});
  return board;
}

// As step() of a simulation.
void advance(Board& board, std::uint64_t generations) {
  while (generations > 0) {
    const std::uint64_t part = board.prepare(generations);
    board.advance(part);
    generations -= part;
  }
}

Grid cells_of(const std::string& rle) { return parse_pattern("x = 0, y = 0\n" + rle, "test").cells; }

Grid turned(const Grid& cells) {
  Grid result(cells.height(), cells.width());
  for (std::int64_t y = 0; y < cells.height(); ++y)
    for (std::int64_t x = 0; x < cells.width(); ++x) result.set(cells.height() - 1 - y, x, cells.alive(x, y));
  return result;
}

// Gliders and spaceships in all their directions.
std::vector<Grid> travellers() {
  std::vector<Grid> all;
  for (const char* rle : {"bo$2bo$3o!", "bo2bo$o$o3bo$4o!"}) {
    all.push_back(cells_of(rle));
    for (int i = 0; i < 3; ++i) all.push_back(turned(all.back()));
  }
  return all;
}

testing::AssertionResult equals(const Board& board, const CellSet& expected) {
  if (board.population() != expected.population())
    return testing::AssertionFailure()
           << "population " << board.population() << " instead of " << expected.population();
  const std::optional<Box> box = expected.bounding_box();
  if (board.bounding_box() != box) return testing::AssertionFailure() << "another bounding box";
  const Grid cells = box ? expected.window(*box) : Grid(0, 0);
  if (box && board.window(*box) != cells) return testing::AssertionFailure() << "other cells";
  if (board.hash({}) != (box ? cells.hash(box->position()) : 0))
    return testing::AssertionFailure() << "another hash";
  return testing::AssertionSuccess();
}

class SparsePlane : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!runs_here(GetParam())) GTEST_SKIP() << "the machine lacks the instructions";
  }
};

// A traveller or a block at each column and each row of a tile, far enough from the others to be alone.
TEST_P(SparsePlane, CellsAtEveryRowAndColumnOfATile) {
  constexpr std::int64_t tile_columns = TilePlace::width, rows = TilePlace::height;
  std::vector<Grid> things = travellers();
  things.push_back(cells_of("2o$2o!"));
  for (std::size_t kind = 0; kind < things.size(); ++kind) {
    const std::unique_ptr<SparseBoard> board = sparse_board(GetParam(), Rule());
    CellSet expected;
    for (std::int64_t i = 0; i < tile_columns + rows; ++i) {
      // Away from the border of the other direction in one half of the cases, close to it in the other
      const Position in_tile =
          i < tile_columns ? Position{i, i % 2 * 21 - 1} : Position{i % 2 * 23 - 1, i - tile_columns};
      const Position at = {(i % 10 - 5) * 4 * tile_columns + in_tile.x, (i / 10 - 5) * 4 * rows + in_tile.y};
      board->write(things[kind], at, PasteMode::bitwise_or);
      expected.put(things[kind], at);
    }
    for (const int portion : {1, 6, 5, 18, 24}) {
      advance(*board, static_cast<std::uint64_t>(portion));
      for (int g = 0; g < portion; ++g) expected.step(Rule());
      ASSERT_TRUE(equals(*board, expected)) << "thing " << kind;
    }
  }
}

// Noise, edits of every mode and portions of any length, for rules whose cells stay few or fill the plane.
TEST_P(SparsePlane, RandomWorldsAndEdits) {
#ifdef MOOREA_SANITIZED
  constexpr int sample = 8;
#else
  constexpr int sample = 50;
#endif
  const char* const rules[] = {"B3/S23",      "B36/S23",  "B2/S",   "B3678/S34678",
                               "B1357/S1357", "B35/S236", "B2/S013"};
  std::mt19937_64 random(20261124);
  const auto draw = [&](std::uint64_t below) { return static_cast<std::int64_t>(random() % below); };
  for (int left = test_everything() ? 4000 : sample; left > 0; --left) {
    const Rule rule = Rule::parse(rules[draw(std::size(rules))]);
    const std::unique_ptr<SparseBoard> board = sparse_board(GetParam(), rule, static_cast<int>(1 + draw(3)));
    CellSet expected;
    const Position home = {draw(2'000'000) - 1'000'000, draw(2'000'000) - 1'000'000};
    const auto edit = [&](PasteMode mode) {
      const Grid cells = Grid::random(1 + draw(60), 1 + draw(60), draw(3) == 0 ? 0.5 : 0.05, random());
      const Position at = home + Position{draw(200), draw(200)};
      board->write(cells, at, mode);
      expected.paste(cells, at, mode);
    };
    edit(PasteMode::replace);
    for (int portions = 4; portions > 0 && expected.population() < 4000; --portions) {
      const std::int64_t generations = draw(3) == 0 ? 6 * draw(5) : draw(20);
      advance(*board, static_cast<std::uint64_t>(generations));
      for (std::int64_t g = 0; g < generations; ++g) expected.step(rule);
      ASSERT_TRUE(equals(*board, expected)) << rule.str() << ", case " << left;
      const std::uint64_t population = expected.population();
      const std::vector<std::uint32_t> squares = board->density({home.x - 300, home.y - 300, 9, 9, 100});
      std::uint64_t counted = 0;
      for (const std::uint32_t square : squares) counted += square;
      ASSERT_EQ(counted, population);
      if (draw(2) == 0) edit(static_cast<PasteMode>(draw(4)));
    }
  }
}

// A world with enough tiles for a team.
TEST_P(SparsePlane, ThreadsDoNotMatter) {
  const Grid noise = Grid::random(900, 700, 0.3, 5);
  const std::unique_ptr<SparseBoard> one = sparse_board(GetParam(), Rule(), 1),
                                     three = sparse_board(GetParam(), Rule(), 3);
  one->load(noise, {-400, -400});
  three->load(noise, {-400, -400});
  for (const int portion : {120, 7, 300}) {
    advance(*one, static_cast<std::uint64_t>(portion));
    advance(*three, static_cast<std::uint64_t>(portion));
    ASSERT_EQ(one->hash({}), three->hash({}));
    ASSERT_EQ(one->bounding_box(), three->bounding_box());
    ASSERT_EQ(one->tiles(), three->tiles());
    ASSERT_EQ(one->awake_cells(), three->awake_cells());
  }
}

// Memory and work follow the live cells, not the distance between them.
TEST_P(SparsePlane, ObjectsFarApartCostWhatTheyCost) {
  const Grid ship = travellers()[4];
  const auto make = [&] { return sparse_board(GetParam(), Rule()); };
  const std::unique_ptr<SparseBoard> together = make(), apart = make(), further = make();
  constexpr std::int64_t far = 1'000'000'000, furthest = max_sparse_coordinate - 100'000;
  const std::pair<SparseBoard*, std::int64_t> boards[] = {
      {together.get(), 400}, {apart.get(), far}, {further.get(), furthest}};
  std::vector<std::uint64_t> computed;
  for (const auto& [board, distance] : boards) {
    board->write(ship, {-distance, -distance}, PasteMode::bitwise_or);
    board->write(ship, {distance, distance}, PasteMode::bitwise_or);
    std::size_t most = 0;
    for (int i = 0; i < 200; ++i) {
      advance(*board, 12);
      most = std::max(most, board->tiles());
    }
    EXPECT_EQ(board->population(), 18u);
    EXPECT_LE(most, 8u) << distance;
    // A spaceship, so its cells have moved by half a cell in each generation
    const Box box = *board->bounding_box();
    EXPECT_EQ(box.size().height, 2 * distance + 4);
    EXPECT_EQ(board->window({box.x, box.y, 5, 4}).population(), 9u);
    EXPECT_LE(board->live_boxes(board->box()).size(), 8u);
    computed.push_back(board->instruments()->tile_counts().computed);
  }
  for (const std::uint64_t each : computed)
    EXPECT_NEAR(static_cast<double>(each), static_cast<double>(computed[0]),
                0.1 * static_cast<double>(computed[0]));
}

TEST_P(SparsePlane, ThePlaneEndsWithAMessage) {
  const std::unique_ptr<SparseBoard> board = sparse_board(GetParam(), Rule());
  EXPECT_THROW(board->write(travellers()[0], {max_sparse_coordinate, 0}, PasteMode::bitwise_or), Error);
  board->write(travellers()[0], {0, max_sparse_coordinate - 400}, PasteMode::bitwise_or);
  try {
    advance(*board, 3000);
    FAIL() << "a glider passed the end of the plane";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("a sparse plane ends at"), std::string::npos) << error.what();
  }
}

// Tiles are removed behind a spaceship and made again before it, and all of them after the last cell.
TEST_P(SparsePlane, TilesComeAndGo) {
  for (const Grid& ship : travellers()) {
    const std::unique_ptr<SparseBoard> board = sparse_board(GetParam(), Rule());
    board->write(ship, {}, PasteMode::bitwise_or);
    for (int i = 0; i < 100; ++i) {
      advance(*board, 36);
      ASSERT_LE(board->tiles(), 6u);
      ASSERT_EQ(board->population(), ship.population());
    }
    const Box box = board->bounding_box().value();
    Grid all(box.width, box.height);
    for (std::int64_t y = 0; y < box.height; ++y)
      for (std::int64_t x = 0; x < box.width; ++x) all.set(x, y);
    board->write(all, box.position(), PasteMode::bitwise_and_not);
    EXPECT_EQ(board->population(), 0u);
    advance(*board, 36);
    EXPECT_EQ(board->tiles(), 0u);
    EXPECT_EQ(board->awake_cells(), 0);
    EXPECT_TRUE(board->box().empty());
    board->write(ship, {-70, 30}, PasteMode::replace);
    advance(*board, 4);
    EXPECT_EQ(board->population(), ship.population());
  }
}

// Blocks, blinkers and pulsars are inactive, also at the borders of tiles; a glider wakes what it meets.
TEST_P(SparsePlane, UsualPeriodsAreInactive) {
  const Grid pulsar = cells_of(
      "2b3o3b3o2b2$o4bobo4bo$o4bobo4bo$o4bobo4bo$2b3o3b3o2b2$2b3o3b3o2b$o4bobo4bo$"
      "o4bobo4bo$o4bobo4bo2$2b3o3b3o!");
  for (std::int64_t x = 0; x < TilePlace::width; x += 3) {
    const std::unique_ptr<SparseBoard> board = sparse_board(GetParam(), Rule());
    CellSet expected;
    const auto put = [&](const Grid& cells, Position at) {
      board->write(cells, at, PasteMode::bitwise_or);
      expected.put(cells, at);
    };
    put(pulsar, {x, x});
    put(cells_of("3o!"), {x + 60, x});
    put(cells_of("2o$2o!"), {x, x + 60});
    advance(*board, 36);
    EXPECT_EQ(board->awake_cells(), 0) << x;
    advance(*board, 600);
    put(cells_of("bo$2bo$3o!"), {x + 45, x - 8});  // 636 is a multiple of the periods
    advance(*board, 240);
    for (int g = 0; g < 240; ++g) expected.step(Rule());
    EXPECT_TRUE(equals(*board, expected)) << x;
  }
}

// A still life around the corner of four tiles can leave one of them dead. Without its cells in another tile
// it grows into the dead one at once, of which nothing but its neighbours' cells has changed.
TEST_P(SparsePlane, DeadTilesRemainNextToLiveCells) {
  const TilePlace middle = {1, 1};
  for (const char* rle : {"2o$obo$2bo$2b2o!", "bo$obo$bobo$2b2o!", "3b2o$2bobo$2bo$obo$2o!"}) {
    const Grid cells = cells_of(rle);
    for (std::int64_t turn = 0; turn < 25; ++turn) {
      for (const std::int64_t edited : {0, 1, 2, 3}) {
        const std::unique_ptr<SparseBoard> board = sparse_board(GetParam(), Rule());
        CellSet expected;
        const Position at = middle.corner() - Position{turn % 5, turn / 5};
        board->write(cells, at, PasteMode::replace);
        expected.put(cells, at);
        advance(*board, 36);
        const Position corner = TilePlace{edited % 2, edited / 2}.corner();
        const Grid none(TilePlace::width, TilePlace::height);
        board->write(none, corner, PasteMode::replace);
        expected.paste(none, corner, PasteMode::replace);
        advance(*board, 36);
        for (int g = 0; g < 36; ++g) expected.step(Rule());
        ASSERT_TRUE(equals(*board, expected)) << rle << ", " << turn << ", without tile " << edited;
      }
    }
  }
}

// Cells that are loaded into a board that ran before meet nothing of what it knew.
TEST_P(SparsePlane, LoadsAgain) {
  const std::unique_ptr<SparseBoard> board = sparse_board(GetParam(), Rule());
  for (const char* rle : {"2o$2o!", "o!", "3o!", "bo$2bo$3o!", "o!"}) {
    const Grid cells = cells_of(rle);
    CellSet expected;
    expected.put(cells, {20, 20});
    board->load(cells, {20, 20});
    for (int part = 0; part < 5; ++part) {
      advance(*board, 6);
      for (int g = 0; g < 6; ++g) expected.step(Rule());
      ASSERT_TRUE(equals(*board, expected)) << rle;
    }
  }
}

// After the end of the memory the plane is the bounded one of its box.
TEST_P(SparsePlane, MemoryEndsAsAnEdge) {
  const std::unique_ptr<SparseBoard> board = sparse_board(GetParam(), Rule::parse("Seeds"), 2, 300'000);
  board->write(Grid::random(12, 12, 0.5, 2), {}, PasteMode::replace);
  std::uint64_t generation = 0;
  while (!board->at_edge() && generation < 3000) {
    const std::uint64_t part = board->prepare(120);
    board->advance(part);
    generation += part;
  }
  ASSERT_TRUE(board->at_edge());
  EXPECT_GT(generation, 64u);
  const Box box = board->box();
  EXPECT_LE(board->tiles() * sizeof(SparseTile), 300'000u);
  Simulation bounded(Rule::parse("Seeds"), Topology::plane, board->window(box));
  for (const std::uint64_t part : {6, 1, 50, 200}) {
    board->advance(part);
    bounded.step(part);
    ASSERT_EQ(board->window(box), bounded.grid());
  }
  // Cells beyond the edge end it, as far as there is memory
  EXPECT_THROW(board->write(Grid::random(3000, 3000, 0.5, 1), {}, PasteMode::replace), Error);
  board->write(board->window(box), box.position(), PasteMode::bitwise_and_not);
  board->write(cells_of("2o$bo!"), {box.right() + 500, 0}, PasteMode::replace);
  EXPECT_FALSE(board->at_edge());
  board->advance(12);
  EXPECT_GT(board->population(), 2u);
}

std::vector<std::string> tile_kernels() {
  std::vector<std::string> names;
  for (const std::string& name : kernel_names())
    if (name.starts_with("cpu/tiles")) names.push_back(name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Table, SparsePlane, testing::ValuesIn(tile_kernels()),
                         [](const auto& test_case) { return test_name(test_case.param); });

}  // namespace
}  // namespace moorea::test
