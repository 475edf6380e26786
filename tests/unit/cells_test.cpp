// SPDX-License-Identifier: MIT
#include "moorea/cells.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <utility>

#include "error_kind.h"
#include "model/hash.h"
#include "model/philox.h"
#include "moorea/error.h"

namespace moorea {
namespace {

using test::kind_of;

constexpr int numbers_of_states[] = {2, 3, 4, 8, 256};
constexpr std::int64_t ragged_widths[] = {1, 63, 64, 65, 130};

// Calls look(x, y) for each cell of a box.
template <class Look>
void for_each_cell(const Box& box, const Look& look) {
  for (std::int64_t y = box.y; y < box.bottom(); ++y) {
    for (std::int64_t x = box.x; x < box.right(); ++x) look(x, y);
  }
}

Box box_of(const Cells& cells) { return {0, 0, cells.width(), cells.height()}; }

int state_or_dead(const Cells& cells, std::int64_t x, std::int64_t y) {
  return box_of(cells).contains(Position{x, y}) ? cells.state(x, y) : 0;
}

TEST(Cells, HaveAPlaneForEachDigitOfTheLargestState) {
  for (const auto& [states, planes] : {std::pair(2, 1), {3, 2}, {4, 2}, {5, 3}, {8, 3}, {9, 4}, {256, 8}}) {
    const Cells cells(70, 3, states);
    EXPECT_EQ(cells.planes(), planes);
    EXPECT_EQ(cells.states(), states);
    EXPECT_EQ(cells.width(), 70);
    EXPECT_EQ(cells.height(), 3);
    EXPECT_EQ(cells.live(), Grid(70, 3));
    EXPECT_EQ(cells.hash(), 0u);
  }
}

TEST(Cells, WithoutSizeAreEmpty) {
  const Cells none;
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none, Cells(0, 0, 2));
  EXPECT_EQ(none.live(), Grid());
  EXPECT_EQ(none.hash(), 0u);
  EXPECT_EQ(none.largest_state(), 0);
  EXPECT_EQ(none.census(), (std::vector<std::uint64_t>{0, 0}));
  EXPECT_EQ(none.crop({-1, -1, 4, 5}), Cells(4, 5, 2));
  EXPECT_TRUE(Cells(5, 0, 3).empty());
  Cells cells = Cells::random(9, 9, 0.5, 1, 3);
  const Cells before = cells;
  cells.paste(none, {3, 3});
  EXPECT_EQ(cells, before);
}

TEST(Cells, RefuseSizesAndStatesThatDoNotExist) {
  for (const int states : {-1, 0, 1, 257}) {
    EXPECT_EQ(kind_of([&] { Cells(3, 3, states); }), ErrorKind::usage);
    EXPECT_EQ(kind_of([&] { Cells(Grid(3, 3), states); }), ErrorKind::usage);
    EXPECT_EQ(kind_of([&] { Cells::random(3, 3, 0.5, 1, states); }), ErrorKind::usage);
  }
  EXPECT_EQ(kind_of([] { Cells(-1, 3, 3); }), ErrorKind::usage);
  EXPECT_EQ(kind_of([] { Cells(3, -1, 3); }), ErrorKind::usage);
  EXPECT_EQ(kind_of([] { Cells::random(3, 3, 1.5, 1, 3); }), ErrorKind::usage);
  EXPECT_EQ(kind_of([] { Cells(std::int64_t{1} << 40, std::int64_t{1} << 40, 3); }), ErrorKind::memory);
  // Beyond what eight planes may take, within what one may
  setenv("MOOREA_MEMORY", "32M", 1);
  EXPECT_EQ(kind_of([] { Cells(8192, 8192, 256); }), ErrorKind::memory);
  EXPECT_EQ(Cells(8192, 8192, 4).planes(), 2);
  unsetenv("MOOREA_MEMORY");
  const Cells cells(5, 5, 3);
  EXPECT_EQ(kind_of([&] { (void)cells.hash({max_coordinate + 1, 0}); }), ErrorKind::usage);
  EXPECT_EQ(kind_of([&] { (void)cells.crop({0, 0, -1, 3}); }), ErrorKind::usage);
  EXPECT_EQ(kind_of([&] { Cells(5, 5, 3).paste(cells, {0, -max_coordinate - 1}); }), ErrorKind::usage);
}

TEST(Cells, SetChangesOneCell) {
  for (const int states : numbers_of_states) {
    for (const std::int64_t width : ragged_widths) {
      Cells cells(width, 2, states);
      std::vector<int> expected(static_cast<std::size_t>(2 * width));
      const auto at = [&](std::int64_t x, std::int64_t y) -> int& {
        return expected[static_cast<std::size_t>(y * width + x)];
      };
      for (const int factor : {1, 7}) {  // the second round overwrites the first
        for_each_cell(box_of(cells), [&](std::int64_t x, std::int64_t y) {
          at(x, y) = static_cast<int>((x + 3 * y) * factor % states);
          cells.set(x, y, at(x, y));
        });
      }
      for_each_cell(box_of(cells), [&](std::int64_t x, std::int64_t y) {
        ASSERT_EQ(cells.state(x, y), at(x, y)) << states << " states, " << x << " " << y;
      });
    }
  }
}

// The definition in docs/rules.md, cell by cell.
TEST(Cells, NoiseFollowsItsDefinition) {
  const std::uint64_t seed = 0x0123456789abcdef;
  for (const int states : numbers_of_states) {
    for (const std::int64_t width : ragged_widths) {
      const Cells cells = Cells::random(width, 5, 0.4, seed, states);
      const Grid live = Grid::random(width, 5, 0.4, seed);
      for_each_cell(box_of(cells), [&](std::int64_t x, std::int64_t y) {
        const std::uint64_t u =
            philox4x32_10({static_cast<std::uint32_t>(x / 4), static_cast<std::uint32_t>(y), 0, 0x80000000},
                          {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)})[x % 4];
        const auto state = static_cast<int>(1 + (u * static_cast<unsigned>(states - 1) >> 32));
        ASSERT_EQ(cells.state(x, y), live.alive(x, y) ? state : 0) << states << " " << x << " " << y;
      });
    }
  }
}

TEST(Cells, NoiseHasAllStatesEquallyOften) {
  const Cells cells = Cells::random(1000, 1000, 0.5, 3, 5);
  const std::vector<std::uint64_t> counts = cells.census();
  ASSERT_EQ(counts.size(), 5u);
  EXPECT_NEAR(static_cast<double>(counts[0]), 500'000, 5 * 500);
  for (std::size_t state = 1; state < 5; ++state)  // five standard deviations of a binomial distribution
    EXPECT_NEAR(static_cast<double>(counts[state]), 125'000, 5 * 331) << state;
  EXPECT_EQ(Cells::random(1000, 1000, 0.5, 3, 5).crop({0, 0, 77, 30}), Cells::random(77, 30, 0.5, 3, 5));
  EXPECT_NE(Cells::random(1000, 1000, 0.5, 4, 5), cells);
  EXPECT_EQ(Cells::random(70, 9, 0, 3, 5), Cells(70, 9, 5));
}

TEST(Cells, LiveCensusAndLargestStateCountCells) {
  for (const int states : numbers_of_states) {
    for (const std::int64_t width : ragged_widths) {
      const Cells cells = Cells::random(width, 7, 0.7, 5, states);
      std::vector<std::uint64_t> counts(static_cast<std::size_t>(states));
      Grid live(width, 7);
      int largest = 0;
      for_each_cell(box_of(cells), [&](std::int64_t x, std::int64_t y) {
        const int state = cells.state(x, y);
        ++counts[static_cast<std::size_t>(state)];
        live.set(x, y, state != 0);
        largest = std::max(largest, state);
      });
      EXPECT_EQ(cells.census(), counts);
      EXPECT_EQ(cells.live(), live);
      EXPECT_EQ(cells.largest_state(), largest);
    }
  }
}

TEST(Cells, OfAGridAreInStateOne) {
  const Grid live = Grid::random(130, 9, 0.3, 4);
  for (const int states : numbers_of_states) {
    const Cells cells(live, states);
    EXPECT_EQ(cells.states(), states);
    EXPECT_EQ(cells.plane(0), live);
    EXPECT_EQ(cells.live(), live);
    EXPECT_EQ(cells.census()[1], live.population());
    EXPECT_EQ(cells.hash({5, -3}), live.hash({5, -3}));
  }
}

// The sum over states of the state times the hash of the cells that are in it.
TEST(Cells, HashFollowsItsDefinition) {
  for (const int states : numbers_of_states) {
    const Cells cells = Cells::random(131, 20, 0.4, 6, states);
    for (const Position origin : {Position{}, {1, 5}, {-1000, -7}}) {
      std::uint64_t sum = 0;
      for (int state = 1; state < states; ++state) {
        Grid in_state(131, 20);
        for_each_cell(box_of(cells), [&](std::int64_t x, std::int64_t y) {
          in_state.set(x, y, cells.state(x, y) == state);
        });
        sum = hash_add(sum, hash_multiply(in_state.hash(origin), static_cast<std::uint64_t>(state)));
      }
      EXPECT_EQ(cells.hash(origin), sum) << states;
    }
  }
}

TEST(Cells, HashesOfPartsAddUp) {
  const Cells cells = Cells::random(200, 90, 0.5, 9, 7);
  std::uint64_t sum = 0;
  for (const Box& part : {Box{0, 0, 77, 33}, Box{77, 0, 123, 33}, Box{0, 33, 200, 57}})
    sum = hash_add(sum, cells.crop(part).hash(part.position()));
  EXPECT_EQ(sum, cells.hash());
}

// Pinned: a change of these values would invalidate every stored hash.
TEST(Cells, PinnedHashes) {
  Cells one(1, 1, 4);
  one.set(0, 0, 3);
  EXPECT_EQ(one.hash(), 3u);
  EXPECT_EQ(one.hash({5, 0}), 96u);
  EXPECT_EQ(Cells::random(1000, 1000, 0.5, 7, 2).hash(), 0x058f0a5bff2639a8u) << "as Grid";
}

TEST(Cells, OfTwoStatesAreTheirGrid) {
  const Grid grid = Grid::random(150, 30, 0.4, 8);
  const Cells cells = Cells::random(150, 30, 0.4, 8, 2);
  EXPECT_EQ(cells, Cells(grid, 2));
  EXPECT_EQ(cells.live(), grid);
  EXPECT_EQ(cells.hash({7, 9}), grid.hash({7, 9}));
  EXPECT_EQ(cells.crop({-5, 3, 100, 40}).plane(0), grid.crop({-5, 3, 100, 40}));
}

TEST(Cells, CropReachesBeyondTheEdges) {
  for (const int states : numbers_of_states) {
    const Cells cells = Cells::random(130, 11, 0.5, 10, states);
    for (const Box& box : {Box{3, 2, 65, 5}, Box{-70, -3, 90, 20}, Box{100, 5, 90, 20}, Box{-9, -9, 200, 40},
                           Box{500, 0, 3, 3}, Box{5, 5, 0, 4}}) {
      const Cells part = cells.crop(box);
      ASSERT_EQ(part.width(), box.width);
      ASSERT_EQ(part.height(), box.height);
      EXPECT_EQ(part.states(), states);
      for_each_cell(box_of(part), [&](std::int64_t x, std::int64_t y) {
        ASSERT_EQ(part.state(x, y), state_or_dead(cells, box.x + x, box.y + y)) << x << " " << y;
      });
    }
  }
}

TEST(Cells, PasteReplacesAndDropsWhatIsOutside) {
  for (const int states : numbers_of_states) {
    for (const int source_states : numbers_of_states) {
      if (source_states > states) continue;
      const Cells source = Cells::random(70, 9, 0.5, 11, source_states);
      const Cells before = Cells::random(130, 11, 0.7, 12, states);
      for (const Position at : {Position{1, 1}, {-5, -4}, {100, 6}, {64, 0}, {-70, 0}, {500, -500}}) {
        Cells cells = before;
        cells.paste(source, at);
        for_each_cell(box_of(cells), [&](std::int64_t x, std::int64_t y) {
          const bool is_covered = Box{at.x, at.y, 70, 9}.contains(Position{x, y});
          ASSERT_EQ(cells.state(x, y), is_covered ? source.state(x - at.x, y - at.y) : before.state(x, y))
              << source_states << " into " << states << ", " << x << " " << y;
        });
      }
    }
  }
}

TEST(Cells, StatesThatAreNotThereAreRefused) {
  Cells cells(4, 3, 6);
  for (const int state : {-1, 6, 7, 8, 1 << 20}) {
    EXPECT_EQ(kind_of([&] { cells.set(1, 1, state); }), ErrorKind::usage) << state;
    EXPECT_EQ(cells.state(1, 1), 0);
  }
  cells.set(1, 1, 5);
  EXPECT_EQ(cells.state(1, 1), 5);
}

TEST(Cells, PasteRefusesStatesThatAreNotThere) {
  Cells source(5, 5, 8), cells(9, 9, 6);
  source.set(2, 2, 5);
  cells.paste(source, {1, 1});  // the states that occur decide
  EXPECT_EQ(cells.state(3, 3), 5);
  source.set(2, 2, 6);
  EXPECT_EQ(kind_of([&] { cells.paste(source, {1, 1}); }), ErrorKind::usage);
  EXPECT_EQ(cells.state(3, 3), 5);
}

}  // namespace
}  // namespace moorea
