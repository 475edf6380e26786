// SPDX-License-Identifier: MIT
// Clusters of a square: all, and those outside its inner part.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <span>
#include <vector>

#include "census/clusters.h"
#include "definition.h"

namespace moorea {
namespace {

CellList in_order(const ClusterCells& cluster) {
  CellList cells(cluster.cells.begin(), cluster.cells.end());
  std::sort(cells.begin(), cells.end(), RowOrder());
  return cells;
}

// Random cells in a part of the square, against clusters made by definition: cells are of one cluster
// if at most one column and one row is between them.
TEST(CensusClusters, ThoseOfTheSquareAreThoseOfTheDefinition) {
  std::mt19937_64 random(18);
  SoupBoard board(SoupRule(Rule()), 192);
  ClusterSearch search;
  std::size_t low = 0, high = 0, across = 0;
  const int squares = test::is_sanitized ? 30 : 300;
  for (int i = 0; i < squares; ++i) {
    // Anywhere, up to the borders of the square
    const Box middle = {static_cast<std::int64_t>(random() % 143), static_cast<std::int64_t>(random() % 153),
                        50, 40};
    const std::uint64_t sparse = 8 + random() % 12;
    CellList left;
    for (std::int64_t y = middle.y; y < middle.bottom(); ++y)
      for (std::int64_t x = middle.x; x < middle.right(); ++x)
        if (random() % sparse == 0) left.push_back({x, y});
    board.begin(left, {0, 0});
    std::vector<CellList> expected, found;
    while (!left.empty()) {
      CellList cluster = {left.back()};
      left.pop_back();
      for (std::size_t k = 0; k < cluster.size(); ++k) {
        const auto rest = std::stable_partition(left.begin(), left.end(), [&](const Position& cell) {
          return std::max(std::abs(cell.x - cluster[k].x), std::abs(cell.y - cluster[k].y)) > 2;
        });
        cluster.insert(cluster.end(), rest, left.end());
        left.erase(rest, left.end());
      }
      std::sort(cluster.begin(), cluster.end(), RowOrder());
      expected.push_back(cluster);
    }
    for (const ClusterCells& cluster : search.find(board)) {
      found.push_back(in_order(cluster));
      ASSERT_EQ(cluster.box, bounds(found.back()));
      (cluster.box.height <= 6 ? low : high) += 1;
      across += cluster.box.x / 64 != (cluster.box.right() - 1) / 64 ? 1 : 0;
    }
    const auto order = [](const CellList& a, const CellList& b) { return RowOrder()(a.front(), b.front()); };
    std::ranges::sort(expected, order);
    std::ranges::sort(found, order);
    ASSERT_EQ(found, expected) << i;
  }
  EXPECT_GT(std::min({low, high, across}), static_cast<std::size_t>(squares));
}

// Rows and columns of cells with gaps, against all clusters of the square: those that are large are seen to
// be large, wherever the tiles end that are looked at.
TEST(CensusClusters, ThoseOutsideTheInnerPartAreThoseOfTheSquare) {
  std::mt19937_64 random(8);
  const auto is_small = [](const ClusterCells& cluster) {
    return std::max(cluster.box.width, cluster.box.height) <= ClusterSearch::max_outside;
  };
  SoupBoard board(SoupRule(Rule()), 192);
  ClusterSearch search, search_all;
  int small = 0, ended = 0;
  for (int i = 0; i < (test::is_sanitized ? 100 : 1000); ++i) {
    const Box inner = i % 2 == 0 ? Box{64, 64, 64, 64} : Box{59, 56, 75, 88};
    const auto is_outside = [&](const Position& cell) { return !inner.contains(cell); };
    CellList cells;
    for (int stick = 0; stick < 10; ++stick) {
      Position at = {50 + static_cast<std::int64_t>(random() % 90),
                     50 + static_cast<std::int64_t>(random() % 100)};
      const bool is_row = random() % 2 == 0;
      for (auto left = static_cast<std::int64_t>(random() % 14); left >= 0;) {
        cells.push_back(at);
        const auto step = static_cast<std::int64_t>(1 + random() % 2);
        at = at + (is_row ? Position{step, 0} : Position{0, step});
        left -= step;
      }
    }
    std::sort(cells.begin(), cells.end(), RowOrder());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    board.begin(cells, {0, 0});
    board.set_inner(inner);
    std::vector<CellList> expected, found;
    for (const ClusterCells& cluster : search_all.find(board)) {
      if (is_small(cluster) && std::ranges::any_of(cluster.cells, is_outside))
        expected.push_back(in_order(cluster));
    }
    std::size_t outside = 0;
    std::vector<CellList> all;
    for (const ClusterCells& cluster : search.find_outside(board)) {
      for (const Position& cell : cluster.cells) outside += is_outside(cell) ? 1 : 0;
      all.push_back(in_order(cluster));
      if (is_small(cluster)) found.push_back(all.back());
    }
    EXPECT_EQ(outside, static_cast<std::size_t>(std::ranges::count_if(cells, is_outside)));
    const std::span<const ClusterCells> first = search.find_outside(board, ClusterSearch::max_outside);
    ASSERT_EQ(first.empty(), all.empty());
    for (std::size_t k = 0; k + 1 < first.size(); ++k) EXPECT_EQ(in_order(first[k]), all[k]);
    if (first.size() < all.size()) {
      ASSERT_FALSE(is_small(first.back()));
      ++ended;
    }
    small += static_cast<int>(found.size());
    const auto order = [](const CellList& a, const CellList& b) { return RowOrder()(a.front(), b.front()); };
    std::ranges::sort(expected, order);
    std::ranges::sort(found, order);
    ASSERT_EQ(found, expected) << i;
  }
  EXPECT_GT(small, 100);
  EXPECT_GT(ended, 10);
}

}  // namespace
}  // namespace moorea
