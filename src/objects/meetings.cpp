// SPDX-License-Identifier: MIT
#include "objects/meetings.h"

#include <cmath>
#include <numeric>

namespace moorea {
namespace {

// Cells that can influence a common neighbour are up to two apart; one more for the rounding of velocities.
constexpr std::int64_t reach = 3;

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

  void limit(double a_low, double a_high, double b_low, double b_high, double velocity) {
    // a moves past b: a_low + v t < b_high and b_low < a_high + v t
    if (velocity == 0) {
      if (a_low >= b_high || b_low >= a_high) to = -1;
      return;
    }
    const double one = (b_high - a_low) / velocity, other = (b_low - a_high) / velocity;
    from = std::max(from, std::min(one, other));
    to = std::min(to, std::max(one, other));
  }
  bool empty() const { return from >= to; }
};

// When objects within two boxes may influence each other; for ever if they stay near each other.
Times near_times(const MovingBox& a, const MovingBox& b) {
  const Box box = a.box.expanded(reach);
  const Velocity one = velocity_of(a), other = velocity_of(b), v = {one.x - other.x, one.y - other.y};
  Times times;
  times.limit(static_cast<double>(box.x), static_cast<double>(box.right()), static_cast<double>(b.box.x),
              static_cast<double>(b.box.right()), v.x);
  times.limit(static_cast<double>(box.y), static_cast<double>(box.bottom()), static_cast<double>(b.box.y),
              static_cast<double>(b.box.bottom()), v.y);
  return times;
}

}  // namespace

Relation relation(const MovingBox& a, const MovingBox& b) {
  const Times times = near_times(a, b);
  if (times.empty()) return Relation::apart;
  return std::isinf(times.to) ? Relation::near : Relation::meeting;
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
    for (std::size_t j = i + 1; j < still.size() && still[j].box.x < still[i].box.right() + reach; ++j) {
      if (!admit(still[i], still[j])) return std::nullopt;
    }
  }
  return generations;
}

}  // namespace moorea
