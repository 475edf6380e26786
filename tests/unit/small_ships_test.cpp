// SPDX-License-Identifier: MIT
// Small spaceships, against lists of cells.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>

#include "census/small_ships.h"
#include "definition.h"
#include "moorea/grid.h"
#include "object_cells.h"

namespace moorea {
namespace {

constexpr std::uint64_t max_period = 30;

bool includes(const Rule& rule, const CellList& cells) {
  return SmallShips(SoupRule(rule)).include(cells, bounds(cells), max_period);
}

// Of cells of at most eight columns and rows.
CellList next(const Rule& rule, const CellList& cells) {
  constexpr std::int64_t side = SmallShips::max_side + 2;
  const Position corner = bounds(cells).position() - Position{1, 1};
  Grid grid(side, side);
  for (const Position& cell : cells) grid.set(cell.x - corner.x, cell.y - corner.y, true);
  grid = test::next_generation(grid, rule, Topology::plane);
  CellList all;
  for (std::int64_t y = 0; y < side; ++y) {
    for (std::int64_t x = 0; x < side; ++x) {
      if (grid.alive(x, y)) all.push_back(corner + Position{x, y});
    }
  }
  return all;
}

bool is_small_ship(const Rule& rule, const CellList& start) {
  CellList cells = start;
  for (std::uint64_t generation = 0; generation < max_period; ++generation) {
    cells = next(rule, cells);
    const Box box = bounds(cells);
    if (cells.empty() || box.width > 8 || box.height > 8) return false;
    const Position by = box.position() - bounds(start).position();
    if (translated(start, by) == cells) return by != Position();
  }
  return false;
}

TEST(SmallShips, AreThoseOfLife) {
  for (const std::string code : {"xq4_153", "xq4_6frc", "xq4_27dee6", "xq4_27deee6", "xs4_33", "xp2_7",
                                 "xp3_co9nas0san9oczgoldlo0oldlogz1047210127401", "xq7_3nw17862z6952"}) {
    CellList object = object_cells(code.c_str());
    const bool is_small = code.starts_with("xq4");
    for (int phase = 0; phase < 7; ++phase, object = advance(Rule(), object)) {
      const Box box = bounds(object);
      if (box.width > SmallShips::max_side || box.height > SmallShips::max_side) continue;
      for (int turn = 0; turn < 8; ++turn) {
        CellList cells;
        for (const Position& cell : object) {
          const Position turned = (turn & 1) != 0 ? Position{cell.y, cell.x} : cell;
          cells.push_back({(turn & 2) != 0 ? -turned.x : turned.x, (turn & 4) != 0 ? -turned.y : turned.y});
        }
        std::sort(cells.begin(), cells.end(), RowOrder());
        EXPECT_EQ(includes(Rule(), cells), is_small) << code << ' ' << phase << ' ' << turn;
      }
    }
  }
}

TEST(SmallShips, AreThoseAmongRandomCells) {
  for (const char* const name : {"B3/S23", "B36/S23", "B2-a/S12", "B2cek3i/S12cei", "B2n3/S23-q"}) {
    const Rule rule = Rule::parse(name);
    const SmallShips ships{SoupRule(rule)};
    std::mt19937_64 random(9);
    int found = 0;
    for (int i = 0; i < (test::is_sanitized ? 60 : 5000); ++i) {
      const unsigned max_side = i % 2 == 0 ? 4 : 8;
      const auto width = static_cast<std::int64_t>(1 + random() % max_side),
                 height = static_cast<std::int64_t>(1 + random() % max_side);
      CellList cells;
      for (std::int64_t y = 0; y < height; ++y) {
        for (std::int64_t x = 0; x < width; ++x) {
          if (random() % 2 == 0) cells.push_back({x - 500, y + 900});
        }
      }
      if (cells.empty()) continue;
      const bool is_ship = is_small_ship(rule, cells);
      ASSERT_EQ(ships.include(cells, bounds(cells), max_period), is_ship) << name << ' ' << i;
      found += is_ship ? 1 : 0;
    }
    EXPECT_GT(found, test::is_sanitized ? -1 : 0) << name;
  }
}

// Two gliders of different phases, which are nine rows or columns together in some generations.
TEST(SmallShips, AreSmallInAllPhases) {
  const SmallShips ships{SoupRule(Rule())};
  for (const bool is_turned : {false, true}) {
    int small = 0, large = 0;
    for (int later = 0; later < 4; ++later) {
      CellList both = object_cells("xq4_153"), other = both;
      for (int i = 0; i < later; ++i) other = advance(Rule(), other);
      for (const Position& cell : translated(other, {0, 8 - bounds(other).bottom()})) both.push_back(cell);
      if (is_turned) {
        for (Position& cell : both) cell = {cell.y, cell.x};
      }
      std::sort(both.begin(), both.end(), RowOrder());
      const bool is_small = is_small_ship(Rule(), both);
      EXPECT_EQ(ships.include(both, bounds(both), max_period), is_small) << later;
      ++(is_small ? small : large);
    }
    EXPECT_GT(small, 0);
    EXPECT_GT(large, 0);
  }
}

TEST(SmallShips, HaveAPeriodOfAtMostTheGivenOne) {
  const SmallShips ships{SoupRule(Rule())};
  const CellList glider = object_cells("xq4_153");
  EXPECT_FALSE(ships.include(glider, bounds(glider), 3));
  EXPECT_TRUE(ships.include(glider, bounds(glider), 4));
}

}  // namespace
}  // namespace moorea
