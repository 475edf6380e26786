// SPDX-License-Identifier: MIT
// Windows of soups in the lanes of boards: what may be where, and ships that leave them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "census/gpu_soup_lanes.h"
#include "census/soup_window.h"
#include "moorea/error.h"
#include "object_cells.h"
#include "search_on_cpu.h"

namespace moorea {
namespace {

// Clusters of Life that are examined as those of a soup are.
class Examined {
 public:
  void add(const char* apgcode, const Position& at) {
    for (const Position& cell : object_cells(apgcode)) cells_.push_back(cell + at);
  }
  void add_cell(const Position& at) { cells_.push_back(at); }
  /// Cells that are not known as periodic.
  void add_activity(const Position& at) {
    for (const Position& cell : CellList{{1, 0}, {2, 0}, {0, 1}, {1, 1}, {1, 2}}) cells_.push_back(cell + at);
  }
  void add_row(const Position& at, std::int64_t length) {
    for (std::int64_t x = 0; x < length; ++x) cells_.push_back(at + Position{x, 0});
  }
  const Assessment& assess() {
    assessment_.assess(
        clusters_.find(cells_, bounds_of_unsorted(cells_)), {}, 0,
        [this](std::span<const Position> cells, const Box& box) { return catalogue_.find(cells, box, 60); },
        false);
    return assessment_;
  }
  bool fit(std::int64_t size) { return WindowChoice(assess()).fits({{0, 0}, size}); }

 private:
  SearchContext context_{Rule()};
  Catalogue catalogue_{context_};
  ClusterSearch clusters_;
  Assessment assessment_;
  CellList cells_;
};

TEST(CensusWindows, ClustersThatTouchLaterHaveNotSettled) {
  for (const std::int64_t apart : {3, 4, 5}) {
    // Blinkers in a row: the ends of the next phase are two cells nearer to each other
    Examined examined;
    for (const std::int64_t x : {std::int64_t{0}, apart}) {
      for (std::int64_t y = 0; y < 3; ++y) examined.add_row({x, y}, 1);
    }
    EXPECT_EQ(examined.assess().settled(), apart > 3) << apart;
  }
}

TEST(CensusWindows, WindowsKeepTheirMarginsFree) {
  constexpr std::int64_t size = 128, margin = SoupWindow::margin;
  const char* const pulsar = "xp3_co9nas0san9oczgoldlo0oldlogz1047210127401";
  const auto fits = [](const char* apgcode, const Position& at) {
    Examined examined;
    examined.add(apgcode, at);
    examined.add_activity({64, 64});
    return examined.fit(size);
  };
  // Activity: only within the margins
  for (const auto& [x, expected] : {std::pair(margin - 1, false),
                                    {margin, true},
                                    {size - margin - 3, true},
                                    {size - margin - 2, false}}) {
    Examined examined;
    examined.add_activity({x, 64});
    EXPECT_EQ(examined.fit(size), expected) << x;
  }
  // A still life may be anywhere, away or not, unless it is on both sides of the limit of both
  EXPECT_TRUE(fits("xs4_33", {2, 64}));
  EXPECT_TRUE(fits("xs4_33", {-1, 64}));
  EXPECT_TRUE(fits("xs4_33", {-9, 64}));
  EXPECT_TRUE(fits(pulsar, {4, 64}));
  EXPECT_FALSE(fits(pulsar, {-3, 64}));
  // A period that does not divide the interval would hide changes
  EXPECT_FALSE(fits("xp5_idiidiz01w1", {margin - 16, 64}));
  EXPECT_TRUE(fits("xp5_idiidiz01w1", {margin + 4, 64}));
  EXPECT_TRUE(fits(pulsar, {margin - 16, 64}));
}

TEST(CensusWindows, ShipsInMarginsMeetNothing) {
  constexpr std::int64_t size = 128;
  const auto with_block = [](const Position& block) {
    Examined examined;
    examined.add("xq4_153", {100, 100});
    examined.add("xs4_33", block);
    return examined.fit(size);
  };
  std::vector<Position> met;
  for (const Position& block : CellList{{110, 110}, {110, 90}, {90, 110}, {90, 90}}) {
    if (!with_block(block)) met.push_back(block);
  }
  // It moves along one of the diagonals
  EXPECT_EQ(met.size(), 1u);
}

// A ship on its way to the right border, and activity behind it; the choice of a window of 128 columns.
struct Departure {
  bool fits = false, is_away = false;
  std::uint64_t allowed = 0;
};

Departure departure(const char* apgcode, std::int64_t outer_depth, std::int64_t activity) {
  constexpr std::int64_t size = 128;
  const CellList cells = object_cells(apgcode);
  for (const bool is_swapped : {false, true}) {
    for (const bool is_mirrored : {false, true}) {
      CellList turned;
      for (const Position& cell : cells) {
        const Position at = is_swapped ? Position{cell.y, cell.x} : cell;
        turned.push_back({is_mirrored ? -at.x : at.x, at.y});
      }
      const Box box = bounds_of_unsorted(turned);
      Examined examined;
      for (const Position& cell : turned)
        examined.add_cell(cell + Position{size - outer_depth - box.right(), 60});
      examined.add_activity({activity, 60});
      const Assessment& assessment = examined.assess();
      const auto ship = std::ranges::find_if(assessment.clusters(), &AssessedCluster::moves);
      if (ship->swept.displacement.x <= 0) continue;
      WindowChoice choice(assessment);
      Departure found;
      found.fits = choice.fits({{0, 0}, size});
      found.is_away =
          found.fits && choice.is_away(static_cast<std::size_t>(ship - assessment.clusters().begin()));
      found.allowed = choice.allowed();
      return found;
    }
  }
  throw Error("it does not move to the right in any orientation");
}

// Gliders move by 6 cells in an interval; the box of their four phases is a cell wider, and three remain.
TEST(CensusWindows, ShipsAreFollowedToTheBorder) {
  for (std::int64_t depth = 5; depth < 40; ++depth) {
    const Departure found = departure("xq4_153", depth, 60);
    ASSERT_TRUE(found.fits) << depth;
    EXPECT_EQ(found.is_away, depth < 10) << depth;
    if (found.is_away)
      EXPECT_GT(found.allowed, UINT64_MAX / 4) << depth;  // nothing reaches it any more
    else
      EXPECT_EQ(found.allowed, static_cast<std::uint64_t>((depth - 10) * 4 + SoupWindow::interval)) << depth;
  }
}

// A glider flies through the margin of a lane unseen, unless something else changes there.
void expect_only_others_change(SoupLanes& lanes) {
  SearchContext context{Rule()};
  Catalogue catalogue(context);
  const CellList glider = object_cells("xq4_153");
  const KnownCluster* const known = catalogue.find(glider, bounds_of_unsorted(glider), 60);
  ASSERT_NE(known, nullptr);
  const Position corner = {1000, -1000}, at = corner + Position{30, 30};
  const CellList ship = translated(known->cycle.phases[0], at);
  // 0: alone; 1: not followed; 2: a block is in its way; 3: activity elsewhere in the margin; 4: it is not
  // there
  for (int lane = 0; lane < 5; ++lane) {
    LaneSoup soup{static_cast<std::uint64_t>(lane), 0, {corner, lanes.size()}, {}, {}};
    if (lane != 1) soup.followed = {{known->shared_from_this(), at, 0}};
    CellList cells = lane == 4 ? CellList() : ship;
    const Position& by = known->swept.displacement;
    if (lane == 2)
      for (const Position& cell : CellList{{0, 0}, {1, 0}, {0, 1}, {1, 1}})
        cells.push_back(at + Position{6 * by.x, 6 * by.y} + cell);
    if (lane == 3)
      for (std::int64_t x = 0; x < 5; ++x) cells.push_back(corner + Position{90 + x, 20});
    lanes.add(std::move(soup), cells);
  }
  lanes.advance();
  for (int lane = 0; lane < 5; ++lane) {
    int index = -1;
    for (const int each : lanes.active_lanes())
      if (lanes.soup(each).soup == static_cast<std::uint64_t>(lane)) index = each;
    EXPECT_EQ(lanes.has_changed_margin(index), lane != 0) << lane;
    // Cells of the glider before and afterwards
    if (lane < 2) {
      EXPECT_EQ(lanes.changed(index), 10u) << lane;
    }
  }
}

TEST(CensusWindows, FollowedShipsChangeNothingOnAGpu) {
  GpuSoupLanes lanes(std::make_unique<SearchOnCpu>(6), SearchOnCpu::size);
  expect_only_others_change(lanes);
}

// A heavyweight spaceship, whose rear is deeper than that of smaller ones, leaves before it is out of reach.
TEST(CensusWindows, ShipsAreAwayUntilSomethingMayReachThem) {
  std::uint64_t shorter = UINT64_MAX;
  bool any = false;
  for (const std::int64_t activity : {84, 85, 86, 87}) {
    const Departure found = departure("xq4_27deee6", 14, activity);
    ASSERT_TRUE(found.fits && found.is_away) << activity;
    EXPECT_LT(found.allowed, 1000u) << activity;
    EXPECT_LE(found.allowed, shorter) << activity;
    any = any || found.allowed < shorter;
    shorter = found.allowed;
  }
  EXPECT_TRUE(any);
  EXPECT_GE(shorter, static_cast<std::uint64_t>(SoupWindow::interval));
}

}  // namespace
}  // namespace moorea
