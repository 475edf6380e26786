// SPDX-License-Identifier: MIT
// Neighbourhoods of objects into which no other cell may come.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "objects/cells.h"

namespace moorea {

/// The positions from which a live cell could influence the future of a group's cells, as intervals of rows.
class Guard {
 public:
  /// Adds a group with its live cells of all generations.
  void add(std::span<const Position> cells, std::uint32_t group);

  /// Call once, after the last add(). Calls `found` with each group whose neighbourhood overlaps another
  /// one's.
  template <class Found>
  void finish(Found found);

  /// Calls `found` with the group in whose neighbourhood the position lies, if there is one.
  template <class Found>
  void meet(const Position& at, Found found) const;

 private:
  // A cell has a neighbour in common with those up to two columns and rows away
  static constexpr std::int64_t reach = 2;

  struct Interval {
    std::int64_t y = 0, left = 0, right = 0;  // columns left to right - 1
    std::uint32_t group = 0;

    friend bool operator<(const Interval& a, const Interval& b) {
      return a.y != b.y ? a.y < b.y : a.left < b.left;
    }
  };
  std::vector<Interval> intervals_;
};

inline void Guard::add(std::span<const Position> cells, std::uint32_t group) {
  for (const Position& cell : cells) {
    for (std::int64_t y = cell.y - reach; y <= cell.y + reach; ++y)
      intervals_.push_back({y, cell.x - reach, cell.x + reach + 1, group});
  }
}

template <class Found>
void Guard::finish(Found found) {
  std::sort(intervals_.begin(), intervals_.end());
  std::vector<Interval> joined;
  for (const Interval& interval : intervals_) {
    Interval* const last = joined.empty() ? nullptr : &joined.back();
    if (last == nullptr || last->y != interval.y || last->right <= interval.left) {
      joined.push_back(interval);
      continue;
    }
    if (last->group != interval.group) {
      found(last->group);
      found(interval.group);
    }
    last->right = std::max(last->right, interval.right);
  }
  intervals_ = std::move(joined);
}

template <class Found>
void Guard::meet(const Position& at, Found found) const {
  auto after = std::upper_bound(intervals_.begin(), intervals_.end(), Interval{at.y, at.x, 0, 0});
  if (after == intervals_.begin()) return;
  const Interval& interval = *std::prev(after);
  if (interval.y == at.y && at.x < interval.right) found(interval.group);
}

}  // namespace moorea
