// SPDX-License-Identifier: MIT
#include "objects/meetings.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "objects/evolution.h"

namespace moorea {
namespace {

struct Velocity {
  double x = 0, y = 0;  // cells per generation
};

Velocity velocity_of(const MovingBox& object) {
  const auto period = static_cast<double>(object.period);
  return {static_cast<double>(object.displacement.x) / period,
          static_cast<double>(object.displacement.y) / period};
}

// Interval of times at which two intervals of cells, one of which moves, overlap.
struct Times {
  double from = 0, to = std::numeric_limits<double>::infinity();

  void limit(std::int64_t a_low, std::int64_t a_high, std::int64_t b_low, std::int64_t b_high,
             double velocity) {
    // a moves past b: a_low + v t < b_high and b_low < a_high + v t. (Coordinates may have more digits than a
    // double, their differences only where the objects are far from each other.)
    const std::int64_t before = b_high - a_low, behind = b_low - a_high;
    if (velocity == 0) {
      if (before <= 0 || behind >= 0) to = -1;
      return;
    }
    const double one = static_cast<double>(before) / velocity, other = static_cast<double>(behind) / velocity;
    from = std::max(from, std::min(one, other));
    to = std::min(to, std::max(one, other));
  }
  bool empty() const { return from >= to; }
};

// When objects within two boxes may influence each other; for ever if they stay near each other.
Times near_times(const MovingBox& a, const MovingBox& b) {
  const Box box = a.box.expanded(object_reach);
  const Velocity one = velocity_of(a), other = velocity_of(b), v = {one.x - other.x, one.y - other.y};
  Times times;
  times.limit(box.x, box.right(), b.box.x, b.box.right(), v.x);
  times.limit(box.y, box.bottom(), b.box.y, b.box.bottom(), v.y);
  return times;
}

// Generations ago, from `first` to `last`, in which two objects may have influenced each other.
struct NearTimes {
  std::uint64_t first, last;
  std::size_t one, other;
};

// Not of objects that stay near each other: what these do recurs.
std::vector<NearTimes> near_times_before(SearchContext& context, std::span<const Cycle> objects,
                                         std::uint64_t generations) {
  std::vector<MovingBox> boxes;
  for (const Cycle& cycle : objects)
    boxes.push_back({cycle.swept(), Position() - cycle.displacement, cycle.period()});
  std::vector<NearTimes> all;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (!objects[i].moves()) continue;
    for (std::size_t j = 0; j < boxes.size(); ++j) {
      if (j == i || (j < i && objects[j].moves())) continue;
      context.add_work(1);
      const Times times = near_times(boxes[i], boxes[j]);
      if (times.empty() || std::isinf(times.to) || times.from > static_cast<double>(generations)) continue;
      const auto last = static_cast<std::uint64_t>(std::min(std::ceil(times.to), 1e18));
      all.push_back({std::max<std::uint64_t>(static_cast<std::uint64_t>(times.from), 1),
                     std::min(last, generations), i, j});
    }
  }
  std::erase_if(all, [](const NearTimes& each) { return each.first > each.last; });
  std::sort(all.begin(), all.end(), [](const NearTimes& a, const NearTimes& b) { return a.first < b.first; });
  return all;
}

// An object at one generation.
struct Present {
  CellList cells;
  Box box;
};

CellList inside(const CellList& cells, const Box& box) {
  CellList found;
  std::copy_if(cells.begin(), cells.end(), std::back_inserter(found),
               [&](const Position& cell) { return box.contains(cell); });
  return found;
}

// Whether the next states in an area are those that each object has alone there.
bool are_independent(SearchContext& context, std::span<const Present> objects, const Box& area) {
  const auto next = [&](const CellList& cells) {
    Evolution evolution(context);
    evolution.add(cells);
    evolution.step();
    return inside(evolution.cells(), area);
  };
  CellList all, apart;
  for (const Present& object : objects) {
    if (intersect(object.box, area.expanded(1)).empty()) continue;
    context.add_work(1 + object.cells.size() / 64);
    const CellList near = inside(object.cells, area.expanded(1)), later = next(near);
    all.insert(all.end(), near.begin(), near.end());
    apart.insert(apart.end(), later.begin(), later.end());
  }
  std::sort(all.begin(), all.end(), RowOrder());
  std::sort(apart.begin(), apart.end(), RowOrder());
  return std::adjacent_find(all.begin(), all.end()) == all.end() && next(all) == apart;
}

// The same of pairs of objects and all that is near them, so many generations ago.
bool are_independent(SearchContext& context, std::span<const Cycle> objects, std::span<const NearTimes> pairs,
                     std::uint64_t ago) {
  std::vector<std::size_t> numbers;
  for (const NearTimes& each : pairs) numbers.insert(numbers.end(), {each.one, each.other});
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  std::vector<Present> present;
  for (const std::size_t i : numbers) {
    CellList cells = objects[i].at(-static_cast<std::int64_t>(ago));
    const Box box = bounds_of_unsorted(cells);
    present.push_back({std::move(cells), box});
  }
  const auto box_of = [&](std::size_t i) {
    const auto found = std::lower_bound(numbers.begin(), numbers.end(), i);
    return present[static_cast<std::size_t>(found - numbers.begin())].box;
  };
  return std::all_of(pairs.begin(), pairs.end(), [&](const NearTimes& pair) {
    // Where a cell may have neighbours of both
    const Box both = intersect(box_of(pair.one).expanded(1), box_of(pair.other).expanded(1));
    return both.empty() || are_independent(context, present, both);
  });
}

}  // namespace

std::optional<std::uint64_t> last_influence(SearchContext& context, std::span<const Cycle> objects,
                                            std::uint64_t generations) {
  const std::vector<NearTimes> all = near_times_before(context, objects, generations);
  std::vector<NearTimes> near;  // at the present generation
  auto next = all.begin();
  for (std::uint64_t ago = 1; next != all.end() || !near.empty(); ++ago) {
    if (near.empty()) ago = std::max(ago, next->first);
    for (; next != all.end() && next->first <= ago; ++next) near.push_back(*next);
    if (!are_independent(context, objects, near, ago)) return ago;
    std::erase_if(near, [&](const NearTimes& each) { return each.last <= ago; });
  }
  return std::nullopt;
}

Relation relation(const MovingBox& a, const MovingBox& b) {
  const Times times = near_times(a, b);
  if (times.empty()) return Relation::apart;
  return std::isinf(times.to) ? Relation::near : Relation::meeting;
}

double end_of_nearness(const MovingBox& a, const MovingBox& b) {
  const Times times = near_times(a, b);
  return times.empty() ? 0 : times.to;
}

std::optional<std::uint64_t> generations_until_apart(SearchContext& context, std::span<const Cycle> objects,
                                                     std::uint64_t max_generations) {
  std::vector<MovingBox> still, moving;
  for (const Cycle& cycle : objects)
    (cycle.moves() ? moving : still).push_back({cycle.swept(), cycle.displacement, cycle.period()});
  std::uint64_t generations = 0;
  // Whether the pair can be told apart within max_generations
  const auto admit = [&](const MovingBox& a, const MovingBox& b) {
    context.add_work(1);
    const Times times = near_times(a, b);
    if (times.empty()) return true;
    if (!std::isinf(times.to) && times.to > static_cast<double>(max_generations)) return false;
    generations = std::max(generations, std::isinf(times.to) ? std::lcm(a.period, b.period)
                                                             : static_cast<std::uint64_t>(times.to) + 1);
    return generations <= max_generations;
  };
  for (std::size_t i = 0; i < moving.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!admit(moving[i], moving[j])) return std::nullopt;
    }
    for (const MovingBox& other : still) {
      if (!admit(moving[i], other)) return std::nullopt;
    }
  }
  // Objects that stay where they are, from left to right: only those that begin before another one ends
  std::sort(still.begin(), still.end(),
            [](const MovingBox& a, const MovingBox& b) { return a.box.x < b.box.x; });
  for (std::size_t i = 0; i < still.size(); ++i) {
    for (std::size_t j = i + 1; j < still.size() && still[j].box.x < still[i].box.right() + object_reach;
         ++j) {
      if (!admit(still[i], still[j])) return std::nullopt;
    }
  }
  return generations;
}

}  // namespace moorea
