// SPDX-License-Identifier: MIT
// Rectangles: every operation agrees with a set of cells, for all small boxes around each other.
#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

#include "moorea/box.h"

namespace moorea {
namespace {

using CellSet = std::set<std::pair<std::int64_t, std::int64_t>>;

CellSet cells_of(const Box& box) {
  CellSet cells;
  for (std::int64_t y = box.y; y < box.bottom(); ++y) {
    for (std::int64_t x = box.x; x < box.right(); ++x) cells.emplace(x, y);
  }
  return cells;
}

std::vector<Box> small_boxes() {
  std::vector<Box> boxes;
  for (const std::int64_t x : {-2, 0, 1}) {
    for (const std::int64_t y : {-1, 0, 2}) {
      for (const std::int64_t width : {0, 1, 3}) {
        for (const std::int64_t height : {0, 1, 2}) boxes.push_back({x, y, width, height});
      }
    }
  }
  return boxes;
}

TEST(Box, AgreesWithSetsOfCells) {
  for (const Box& a : small_boxes()) {
    const CellSet in_a = cells_of(a);
    ASSERT_EQ(a.empty(), in_a.empty());
    ASSERT_EQ(a.area(), static_cast<double>(in_a.size()));
    for (const Box& b : small_boxes()) {
      const CellSet in_b = cells_of(b);
      CellSet both;
      for (const auto& cell : in_a) {
        if (in_b.contains(cell)) both.insert(cell);
        ASSERT_EQ(b.contains(Position{cell.first, cell.second}), in_b.contains(cell));
      }
      const Box common = intersect(a, b), all = unite(a, b);
      ASSERT_EQ(cells_of(common), both) << a.x << " " << a.y << " and " << b.x << " " << b.y;
      ASSERT_EQ(common.empty(), both.empty());
      ASSERT_GE(common.width, 0);
      ASSERT_GE(common.height, 0);
      if (!a.empty() && !b.empty()) {
        ASSERT_EQ(a.contains(b), both == in_b);
      }
      // The smallest box with both: it contains them, and each of its sides touches one of them
      CellSet covered = cells_of(all);
      for (const CellSet* cells : {&in_a, &in_b}) {
        for (const auto& cell : *cells) ASSERT_TRUE(covered.contains(cell));
      }
      const Box& other = a.empty() ? b : a;
      const Box& one = b.empty() ? other : b;
      if (other.empty()) continue;
      ASSERT_EQ(all.x, std::min(other.x, one.x));
      ASSERT_EQ(all.bottom(), std::max(other.bottom(), one.bottom()));
      ASSERT_EQ(all.right(), std::max(other.right(), one.right()));
      ASSERT_EQ(all.y, std::min(other.y, one.y));
    }
  }
}

TEST(Box, MovesAndGrows) {
  const Box box{3, -4, 5, 6};
  EXPECT_EQ(box.translated({-3, 10}), (Box{0, 6, 5, 6}));
  EXPECT_EQ(box.expanded(2), (Box{1, -6, 9, 10}));
  EXPECT_EQ(box.expanded(2).expanded(-2), box);
  EXPECT_EQ(box.position(), (Position{3, -4}));
  EXPECT_EQ(box.size(), (Size{5, 6}));
  const Box far{max_coordinate, -max_coordinate, max_coordinate, max_coordinate};
  EXPECT_EQ(intersect(far, box), (Box{max_coordinate, -4, 0, 4}));
}

}  // namespace
}  // namespace moorea
