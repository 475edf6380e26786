// SPDX-License-Identifier: MIT
// Squares of a census, against lists of cells.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "census/soup_board.h"
#include "census/soup_loop.h"
#include "definition.h"
#include "object_cells.h"

namespace moorea {
namespace {

CellList cells_of(const SoupBoard& board) {
  CellList cells = board.cells();
  std::sort(cells.begin(), cells.end(), RowOrder());
  return cells;
}

// A tile in one vector, as AVX-512 has it, on any machine.
struct LogicOfTiles : soup_kernel::Logic<std::uint64_t __attribute__((vector_size(64)))> {
  static void row_above(const Rows& above, const Rows& here, Rows& to) {
    to = Rows{above[7], here[0], here[1], here[2], here[3], here[4], here[5], here[6]};
  }
  static void row_below(const Rows& here, const Rows& below, Rows& to) {
    to = Rows{here[1], here[2], here[3], here[4], here[5], here[6], here[7], below[0]};
  }
};

bool advance_tiles(const SoupSweep& call, std::uint64_t generations) {
  return soup_kernel::Sweep<LogicOfTiles, soup_kernel::SoupRules::life>(call).run(generations);
}

// Those that this machine can execute, and of Life the one of whole tiles.
std::vector<SoupSweep::Function> functions_for(const Rule& rule) {
  const SoupRule soup_rule(rule);
  std::vector<SoupSweep::Function> functions = SoupSweep::usable(soup_rule);
  if (soup_rule.is_life()) functions.push_back(advance_tiles);
  return functions;
}

CellList after(std::uint64_t generations, const Rule& rule, const CellList& cells) {
  return advance(rule, cells, generations);
}

// Cells of a square with some tiles, against a list of cells; the square is compared after each call. Tiles
// of the largest one have several masks.
TEST(CensusSquares, SquaresAreAdvancedByAllFunctions) {
  for (const char* const name :
       {"B3/S23", "B36/S23", "B1357/S02468", "B3678/S34678", "B2-a/S12", "B2-ak3/S12-i34q"}) {
    const Rule rule = Rule::parse(name);
    for (const std::int64_t size : {std::int64_t{128}, std::int64_t{448}, std::int64_t{1024}}) {
      const auto functions = functions_for(rule);
      for (std::size_t sweep = 0; sweep < functions.size(); ++sweep) {
        std::mt19937_64 random(size);
        SoupBoard board(SoupRule(rule), size, functions[sweep]);
        const Position corner = {-1000, 77};
        CellList cells;
        // Over the limits of strips, tiles and masks
        for (std::int64_t y = size / 2 - 24; y < size / 2 - 8; ++y) {
          for (std::int64_t x = size / 2 - 68; x < size / 2 + 68; ++x) {
            if (x >= 40 && x < size - 40 && random() % 3 == 0) cells.push_back(corner + Position{x, y});
          }
        }
        board.begin(cells, corner);
        if (size == 448) board.set_inner(board.box());
        for (const std::uint64_t steps : {1u, 1u, 2u, 5u, 8u, 8u}) {
          board.advance(steps);
          cells = after(steps, rule, cells);
          ASSERT_EQ(cells_of(board), cells)
              << name << ' ' << size << ' ' << sweep << ' ' << board.generation();
          ASSERT_EQ(board.population(), cells.size());
        }
      }
    }
  }
}

// Rows at all places within strips, tiles and masks, after other cells.
TEST(CensusSquares, RowsAreTheirCells) {
  std::mt19937_64 random(3);
  SoupBoard board(SoupRule(Rule()), 1024);
  for (int i = 0; i < (test::is_sanitized ? 50 : 500); ++i) {
    const Position corner = {-40, 30};
    const std::int64_t count = i % 3 == 0 ? 64 : 16;
    const Position at = {static_cast<std::int64_t>(random() % (1024 - 64)) + corner.x,
                         static_cast<std::int64_t>(random() % (1024 - 64)) + corner.y};
    std::vector<std::uint64_t> rows;
    CellList cells;
    for (std::int64_t y = 0; y < count; ++y) {
      rows.push_back(random() & random() & (count == 64 ? ~std::uint64_t{0} : 0xFFFF));
      for (std::int64_t x = 0; x < 64; ++x) {
        if ((rows.back() >> x & 1) != 0) cells.push_back(at + Position{x, y});
      }
    }
    board.begin(rows, at, corner);
    ASSERT_EQ(cells_of(board), cells);
    if (board.box().expanded(-8).contains(bounds(cells))) {
      board.advance(8);
      ASSERT_EQ(cells_of(board), after(8, Rule(), cells));
    }
  }
}

// The first and the last tile of a square, beside which no others are: blocks and blinkers in all corners.
TEST(CensusSquares, TilesInTheCornersAreThoseOfThePlane) {
  for (const std::int64_t size : {std::int64_t{192}, std::int64_t{1024}}) {
    const auto functions = functions_for(Rule());
    for (std::size_t sweep = 0; sweep < functions.size(); ++sweep) {
      SoupBoard board(SoupRule(Rule()), size, functions[sweep]);
      CellList cells;
      for (const std::int64_t x : {std::int64_t{1}, size - 4}) {
        for (const std::int64_t y : {std::int64_t{1}, size - 4}) {
          for (const Position& cell : object_cells(x == y ? "xp2_7" : "xs4_33"))
            cells.push_back(cell + Position{x, y});
        }
      }
      std::sort(cells.begin(), cells.end(), RowOrder());
      board.begin(cells, {0, 0});
      for (const std::uint64_t steps : {1u, 4u, 8u}) {
        board.advance(steps);
        cells = after(steps, Rule(), cells);
        ASSERT_EQ(cells_of(board), cells) << size << ' ' << sweep << ' ' << steps;
      }
    }
  }
}

// Lone gliders in all phases and directions that fly over the limits of tiles, strips and masks.
TEST(CensusSquares, GlidersCrossAllLimitsOfTiles) {
  const CellList glider = object_cells("xq4_153");
  const auto functions = functions_for(Rule());
  for (std::size_t sweep = 0; sweep < functions.size(); ++sweep) {
    SoupBoard board(SoupRule(Rule()), 1024, functions[sweep]);
    for (int turn = 0; turn < 8; ++turn) {
      for (const Position& at : CellList{{64, 8}, {128, 496}, {192, 493}, {510, 494}, {320, 992}}) {
        CellList cells;
        for (const Position& cell : glider) {
          const Position turned = (turn & 1) != 0 ? Position{cell.y, cell.x} : cell;
          cells.push_back(
              at + Position{(turn & 2) != 0 ? -turned.x : turned.x, (turn & 4) != 0 ? -turned.y : turned.y});
        }
        std::sort(cells.begin(), cells.end(), RowOrder());
        board.begin(cells, {0, 0});
        if (turn % 2 == 0) board.set_inner(board.box());
        for (int i = 0; i < 5; ++i) {
          board.advance(4);
          cells = after(4, Rule(), cells);
          ASSERT_EQ(cells_of(board), cells) << sweep << ' ' << turn << ' ' << at.x << ' ' << at.y << ' ' << i;
        }
      }
    }
  }
}

// Tiles of one strip, up to more than are advanced in registers, at all places at the limits of masks, with
// blinkers of both phases over all limits of tiles: those above and below are not due, and not always the
// same.
TEST(CensusSquares, RunsOfAllLengthsAreThoseOfThePlane) {
  std::mt19937_64 random(12);
  const auto functions = functions_for(Rule());
  for (std::size_t sweep = 0; sweep < functions.size(); ++sweep) {
    for (const std::int64_t size : {std::int64_t{192}, std::int64_t{704}}) {
      SoupBoard board(SoupRule(Rule()), size, functions[sweep]);
      for (std::int64_t tiles = 1; tiles <= 10; ++tiles) {
        for (std::int64_t first = 0; first <= tiles; first += test::is_sanitized ? 3 : 1) {
          // Tile 62 begins the second mask
          const std::int64_t top = 8 * (size == 192 ? 5 + first % 3 : 62 - first), bottom = top + 8 * tiles;
          CellList cells;
          for (std::int64_t y = top - 16; y <= bottom + 16; y += 8) {
            for (std::int64_t i = -1; i <= 1; ++i) {
              cells.push_back({68, y + i});
              cells.push_back({122 + i, y});
            }
          }
          board.begin(cells, {0, 0});
          board.set_inner(board.box());
          board.advance(16);
          CellList more;
          for (std::int64_t y = top + 2; y < bottom - 2; ++y) {
            for (std::int64_t x = 0; x < 5; ++x) {
              if (random() % 3 == 0) more.push_back({92 + x, y});
            }
          }
          board.add(more);
          cells.insert(cells.end(), more.begin(), more.end());
          std::sort(cells.begin(), cells.end(), RowOrder());
          for (const std::uint64_t steps : {4u, 8u, 3u, 2u, 1u, 8u, 8u}) {
            board.advance(steps);
            cells = after(steps, Rule(), cells);
            ASSERT_EQ(cells_of(board), cells) << sweep << ' ' << size << ' ' << tiles << ' ' << first;
          }
        }
      }
    }
  }
}

// A cell in each of two runs that touch at a corner: changes of one reach it in the last generation of a
// batch, and the other one in the next batch. Beside one run or both are tiles that have been due.
TEST(CensusSquares, RunsThatTouchAtACornerDoNotSeeLaterGenerations) {
  const SoupRule rule(Rule::parse("B12345678/S012345678"));
  const SoupSquare square{256};
  const auto words = static_cast<std::size_t>(square.words()),
             masks = static_cast<std::size_t>(square.all_masks());
  std::vector<std::int64_t> first_words;
  for (std::int64_t mask = 0; mask < square.all_masks(); ++mask)
    first_words.push_back(square.first_row(square.strip_of(mask)) + square.row_of(mask));
  for (unsigned turn = 0; turn < 8; ++turn) {
    const bool is_left = (turn & 1) != 0, is_upper = (turn & 2) != 0;  // the first run
    for (const SoupSweep::Function sweep : SoupSweep::usable(rule)) {
      std::vector<std::uint64_t> cells[2] = {std::vector<std::uint64_t>(words),
                                             std::vector<std::uint64_t>(words)};
      SoupTiles due(masks), touched(masks), next(masks), outside(masks), inner(masks);
      std::vector<SoupTileRun> list(static_cast<std::size_t>(square.strips() * square.tiles()));
      std::vector<std::uint64_t> expected(words);
      for (const bool is_first : {true, false}) {
        const bool left = is_left == is_first, upper = is_upper == is_first;
        const std::int64_t strip = left ? 1 : 2, tile = upper ? 10 : 11, distance = is_first ? 4 : 7;
        const std::int64_t column = left ? 63 - distance : distance;
        const std::int64_t word = square.first_row(strip) + 8 * tile + (upper ? 7 - distance : distance);
        cells[0][static_cast<std::size_t>(word)] = std::uint64_t{1} << column;
        for (std::int64_t y = -4; y <= 4; ++y)
          expected[static_cast<std::size_t>(word + y)] = std::uint64_t{0x1FF} << (column - 4);
        for (const std::int64_t t : {tile, upper ? tile - 1 : tile + 1})
          due[static_cast<std::size_t>(square.mask_of(strip, t))] |= SoupSquare::bit_of(t);
        if (!is_first || turn >= 4)
          touched[static_cast<std::size_t>(square.mask_of(left ? 0 : 3, 0))] = SoupSquare::all_tiles;
      }
      sweep({rule,
             square,
             {cells[0].data(), cells[1].data()},
             0,
             first_words.data(),
             due.data(),
             touched.data(),
             next.data(),
             list.data(),
             outside.data(),
             inner.data()},
            4);
      EXPECT_EQ(cells[0], expected) << turn;
    }
  }
}

// Cells at the limit of a strip, and others beyond it in rows above, at, and below theirs that have not
// changed for long.
TEST(CensusSquares, RunsOfTilesSeeCellsBesideThem) {
  std::mt19937_64 random(11);
  const auto functions = functions_for(Rule());
  for (std::size_t sweep = 0; sweep < functions.size(); ++sweep) {
    SoupBoard board(SoupRule(Rule()), 1024, functions[sweep]);
    for (const std::int64_t row : {std::int64_t{200}, std::int64_t{496}}) {  // within and between masks
      for (std::int64_t below = -20; below <= 20; below += test::is_sanitized ? 4 : 1) {
        for (const bool is_right : {false, true}) {
          CellList cells = translated(object_cells("xs4_33"), {is_right ? 128 : 126, row + below});
          board.begin(cells, {0, 0});
          board.advance(16);
          CellList more;
          for (std::int64_t y = 0; y < 8; ++y) {
            for (std::int64_t x = 0; x < 8; ++x) {
              if (random() % 2 == 0) more.push_back({(is_right ? 118 : 130) + x, row - 4 + y});
            }
          }
          board.add(more);
          cells.insert(cells.end(), more.begin(), more.end());
          std::sort(cells.begin(), cells.end(), RowOrder());
          for (const std::uint64_t steps : {1u, 2u, 4u, 8u}) {
            board.advance(steps);
            cells = after(steps, Rule(), cells);
            ASSERT_EQ(cells_of(board), cells) << sweep << ' ' << row << ' ' << below << ' ' << is_right;
          }
        }
      }
    }
  }
}

// Three cells that become a block at all places at the inner part.
TEST(CensusSquares, ChangesOutsideTheInnerPartAreSeen) {
  const Box inner = {64, 200, 64, 64};
  const auto functions = functions_for(Rule());
  for (std::size_t sweep = 0; sweep < functions.size(); ++sweep) {
    SoupBoard board(SoupRule(Rule()), 192 + 128, functions[sweep]);
    for (int turn = 0; turn < 4; ++turn) {
      for (std::int64_t beyond = -3; beyond <= 3; ++beyond) {
        const std::int64_t to = turn < 2 ? 62 + beyond : -beyond;  // columns and rows from the inner part's
        const Position at = inner.position() + (turn % 2 == 0 ? Position{to, 30} : Position{30, to});
        const bool is_out = !inner.contains(at + Position{1, 1});  // the fourth cell
        // Of cells that have just been added it is not known what they were two generations before
        if (!is_out && !inner.contains(at)) continue;
        for (const std::uint64_t steps : {2u, 3u, 4u, 8u}) {
          board.begin(CellList{at, at + Position{1, 0}, at + Position{0, 1}}, {0, 0});
          board.set_inner(inner);
          EXPECT_TRUE(board.take_outside_changes());
          EXPECT_FALSE(board.take_outside_changes());
          board.advance(steps);
          EXPECT_EQ(board.take_outside_changes(), is_out)
              << sweep << ' ' << turn << ' ' << beyond << ' ' << steps;
          board.advance(8);
          EXPECT_FALSE(board.take_outside_changes());
        }
      }
    }
  }
}

// Cells that are added or removed at any generation, of which some die at once.
TEST(CensusSquares, EditedSquaresAreThoseOfEditedCells) {
  std::mt19937_64 random(4);
  const auto functions = functions_for(Rule());
  for (std::size_t sweep = 0; sweep < functions.size(); ++sweep) {
    SoupBoard board(SoupRule(Rule()), 1024, functions[sweep]);
    for (int i = 0; i < (test::is_sanitized ? 20 : 200); ++i) {
      CellList cells = object_cells("xp2_7");
      // Over the limits of strips and masks
      board.begin(cells, {-460 - static_cast<std::int64_t>(random() % 60),
                          -470 - static_cast<std::int64_t>(random() % 40)});
      for (int edit = 0; edit < 4; ++edit) {
        const Position at = {10 * edit + 20, static_cast<std::int64_t>(random() % 40)};
        const CellList more =
            translated(random() % 2 == 0 ? object_cells("xs4_33") : CellList{{0, 0}, {1, 0}}, at);
        board.add(more);
        cells.insert(cells.end(), more.begin(), more.end());
        if (random() % 3 == 0) {
          board.remove(more);
          cells.resize(cells.size() - more.size());
        }
        const std::uint64_t steps = 1 + random() % 9;
        board.advance(steps);
        std::sort(cells.begin(), cells.end(), RowOrder());
        cells = after(steps, Rule(), cells);
        ASSERT_EQ(cells_of(board), cells) << sweep << ' ' << i << ' ' << edit;
      }
    }
  }
}

}  // namespace
}  // namespace moorea
