// SPDX-License-Identifier: MIT
// Ages, trails and activity of squares, compared with a plain definition over a list of pictures, and with
// those of cells that CellHistory computes generation by generation.
#include "moorea/square_history.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "moorea/error.h"

namespace moorea {
namespace {

using Levels = std::vector<std::uint8_t>;

Simulation soup(std::int64_t width, std::int64_t height) {
  return Simulation({}, Topology::torus, Grid::random(width, height, 0.3, 7));
}

// Looks since a square changed, by the list of all looks: the last one is 1 if it differs from the one
// before. 0 if it is as it was at the first look.
int looks_since_change(const std::vector<Levels>& looks, std::size_t square) {
  for (std::size_t i = looks.size() - 1; i > 0; --i) {
    if (looks[i][square] != looks[i - 1][square]) return static_cast<int>(looks.size() - i);
  }
  return 0;
}

Levels trails_of(const std::vector<Levels>& looks) {
  Levels levels(looks.back().size());
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const int since = looks_since_change(looks, i), all = static_cast<int>(looks.size());
    const bool alive = looks.back()[i] != 0;
    const int age = since == 0 ? all : since;
    levels[i] = static_cast<std::uint8_t>(alive        ? std::max(256 - age, 160)
                                          : since == 0 ? 0
                                                       : std::max(104 - since, 0));
  }
  return levels;
}

Levels ages_of(const std::vector<Levels>& looks) {
  Levels levels(looks.back().size());
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const int since = looks_since_change(looks, i);
    const int age = std::min(since == 0 ? static_cast<int>(looks.size()) : since, 255);
    if (looks.back()[i] != 0)
      levels[i] = static_cast<std::uint8_t>(std::lround(104 + 151 * std::sqrt((age - 1) / 254.0)));
  }
  return levels;
}

// The share of changes, each with 63/64 of the weight of the next one.
std::vector<double> activity_of(const std::vector<Levels>& looks) {
  std::vector<double> shares(looks.back().size());
  double weights = 0;
  for (std::size_t i = 1; i < looks.size(); ++i) {
    const double weight = std::pow(63.0 / 64, static_cast<double>(looks.size() - 1 - i));
    weights += weight;
    for (std::size_t j = 0; j < shares.size(); ++j) shares[j] += weight * (looks[i][j] != looks[i - 1][j]);
  }
  for (double& share : shares) share /= weights;
  return shares;
}

void compare_with_definition(const Raster& raster, std::uint64_t step, const Size& world = {90, 50},
                             int number = 300) {
  Simulation simulation = soup(world.width, world.height);
  SquareHistory history(raster);
  std::vector<Levels> looks;
  for (int i = 0; i < number; ++i) {
    if (i > 0) simulation.step(step);
    history.look(simulation);
    looks.push_back(draw_density(simulation, {raster, 1}).levels);
    if (i != 0 && i != 1 && i != 120 && i != number - 1) continue;
    ASSERT_EQ(history.levels(Colouring::cells), looks.back()) << i;
    ASSERT_EQ(history.levels(Colouring::age), ages_of(looks)) << i;
    ASSERT_EQ(history.levels(Colouring::trails), trails_of(looks)) << i;
    if (i == 0) continue;
    ASSERT_EQ(history.unit(), step);
    const Levels activity = history.levels(Colouring::activity);
    const std::vector<double> shares = activity_of(looks);
    for (std::size_t j = 0; j < activity.size(); ++j) {
      const double level = shares[j] > 0.008 ? 104 + 151 * std::sqrt(shares[j]) : 0;
      // Rounding in 16 bits; very small shares are not drawn
      if (shares[j] == 0 || shares[j] > 0.008) {
        ASSERT_NEAR(activity[j], level, 6) << i << ", square " << j << ": " << shares[j];
      }
    }
  }
}

TEST(SquareHistory, CellsOfEachGeneration) { compare_with_definition({0, 0, 90, 50, 1}, 1); }
TEST(SquareHistory, CellsOfEachSeventhGeneration) { compare_with_definition({-5, 10, 101, 37, 1}, 7); }
TEST(SquareHistory, SquaresOfSeveralCells) { compare_with_definition({0, 0, 23, 13, 4}, 2); }
TEST(SquareHistory, SquaresOfSeveralThreads) {
  compare_with_definition({-9, 5, 430, 311, 1}, 1, {420, 310}, 40);
}

TEST(SquareHistory, CellsHaveTheAgesAndTrailsOfCellHistory) {
  Simulation simulation = soup(70, 40);
  SquareHistory history({0, 0, 70, 40, 1});
  CellHistory exact({0, 0, 70, 40});
  for (int i = 0; i < 400; ++i) {
    if (i > 0) simulation.step(1);
    history.look(simulation);
    exact.add(simulation);
  }
  const View view{{0, 0, 70, 40, 1}, 2};
  const Picture ages = exact.draw_age(view), trails = exact.draw_trails(view);
  EXPECT_EQ(history.draw(Colouring::age, 2).levels, ages.levels);
  EXPECT_EQ(history.draw(Colouring::trails, 2).levels, trails.levels);
  EXPECT_EQ(exact.draw(Colouring::trails, view).levels, trails.levels);
  // All kinds of levels occur: dead, trails, cells that settled and that were just born
  const auto count = [&](int first, int last) {
    return std::ranges::count_if(trails.levels, [&](int level) { return level >= first && level <= last; });
  };
  for (const auto& [first, last] : {std::pair{0, 0}, {1, 102}, {103, 103}, {160, 160}, {255, 255}})
    EXPECT_GT(count(first, last), 0) << first;
}

TEST(SquareHistory, EditsJumpsAndMoves) {
  Simulation simulation({}, Topology::torus, Grid::random(40, 40, 0.3, 1));
  SquareHistory history({0, 0, 40, 40, 1});
  EXPECT_EQ(history.levels(Colouring::trails), Levels(1600));
  for (int i = 0; i < 50; ++i) {
    history.look(simulation);
    simulation.step(1);
  }
  history.look(simulation);
  const Levels before = history.levels(Colouring::trails);
  // An edit changes the edited cell alone, and nothing grows older
  const bool alive = simulation.grid().alive(3, 4);
  const auto set = [&](bool to) {
    Grid cell(1, 1);
    cell.set(0, 0, to);
    simulation.paste(cell, {3, 4});
  };
  set(!alive);
  history.look(simulation);
  Levels after = history.levels(Colouring::trails);
  EXPECT_EQ(after[4 * 40 + 3], alive ? 103 : 255);
  after[4 * 40 + 3] = before[4 * 40 + 3];
  EXPECT_EQ(after, before);
  // Another part: what was seen before keeps its history, the rest begins
  set(alive);
  history.look(simulation);
  history.move_to({-8, 5, 30, 60, 1});
  history.look(simulation);
  const Levels moved = history.levels(Colouring::trails);
  const Grid cells = simulation.grid();
  for (std::int64_t y = 5; y < 65; ++y) {
    for (std::int64_t x = -8; x < 22; ++x) {
      const std::uint8_t level = moved[static_cast<std::size_t>((y - 5) * 30 + x + 8)];
      const bool inside = x >= 0 && y < 40;
      const bool edited = x == 3 && y == 4;
      if (edited) continue;
      ASSERT_EQ(level, inside ? before[static_cast<std::size_t>(y * 40 + x)] : 0) << x << " " << y;
    }
  }
  // Another scale, and an earlier generation: a new beginning
  history.move_to({0, 0, 20, 20, 2});
  history.look(simulation);
  EXPECT_TRUE(std::ranges::all_of(history.levels(Colouring::trails),
                                  [](int level) { return level == 0 || level == 255; }));
  history.move_to({0, 0, 40, 40, 1});
  simulation.step(3);
  history.look(simulation);
  simulation.step(1);
  history.look(simulation);
  simulation.set_generation(0);
  history.look(simulation);
  const Levels again = history.levels(Colouring::trails);
  for (std::size_t i = 0; i < again.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    ASSERT_EQ(again[i], simulation.grid().alive(at % 40, at / 40) ? 255 : 0);
  }
  EXPECT_THROW(SquareHistory({0, 0, 0, 5, 1}), Error);
}

TEST(Colouring, Names) {
  EXPECT_EQ(colourings().front().colouring, Colouring::cells);
  for (const ColouringInfo& info : colourings()) EXPECT_EQ(colouring(info.name), info.colouring);
  EXPECT_THROW(colouring("heat"), Error);
}

}  // namespace
}  // namespace moorea
