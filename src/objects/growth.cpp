// SPDX-License-Identifier: MIT
#include "objects/growth.h"

#include "objects/settled.h"

namespace moorea {
namespace {

// Periods that are tried: the populations of a pattern, which give the step, recur at least as often as that
constexpr std::uint64_t max_multiple = 8;

// Displacements of the core are those of an edge of the box, or none, for columns and rows.
std::vector<Position> displacements(const Box& before, const Box& after) {
  std::vector<Position> all;
  for (const std::int64_t x : {std::int64_t{0}, after.x - before.x, after.right() - before.right()}) {
    for (const std::int64_t y : {std::int64_t{0}, after.y - before.y, after.bottom() - before.bottom()}) {
      if (std::find(all.begin(), all.end(), Position{x, y}) == all.end()) all.push_back({x, y});
    }
  }
  return all;
}

// Whether `core`, which has become `now` after `period` generations, has recurred.
std::optional<Growth> recurrence(const Rule& rule, const Cells& core, const Cells& now, std::uint64_t period,
                                 std::uint64_t max_period) {
  if (now.size() <= core.size()) return std::nullopt;
  for (const Position& by : displacements(bounds(core), bounds(now))) {
    const Cells moved = translated(core, by);
    if (!std::includes(now.begin(), now.end(), moved.begin(), moved.end(), RowOrder())) continue;
    Cells others;
    std::set_difference(now.begin(), now.end(), moved.begin(), moved.end(), std::back_inserter(others),
                        RowOrder());
    std::optional<SettledWorld> emitted = settled_world(rule, others, period, max_period, max_period);
    if (!emitted || !emitted->others.empty()) continue;
    return Growth{period, by, now.size() - core.size(), std::move(emitted->objects)};
  }
  return std::nullopt;
}

// The smallest divisor of the period after which the core recurs.
Growth smallest(const Rule& rule, const Cells& core, Growth growth, std::uint64_t max_period) {
  Cells now = core;
  for (std::uint64_t period = 1; period < growth.period; ++period) {
    now = advance(rule, now);
    if (growth.period % period != 0) continue;
    if (std::optional<Growth> found = recurrence(rule, core, now, period, max_period)) return *found;
  }
  return growth;
}

}  // namespace

std::optional<Growth> find_growth(const Rule& rule, const Cells& core, std::uint64_t step,
                                  std::optional<std::uint64_t> gain, std::uint64_t max_period) {
  if (core.empty() || step == 0) return std::nullopt;
  Cells now = core;
  max_period = std::min(max_period, max_multiple * step);
  for (std::uint64_t period = step; period <= max_period; period += step) {
    for (std::uint64_t g = 0; g < step; ++g) now = advance(rule, now);
    if (gain && now.size() != core.size() + *gain * (period / step)) continue;
    if (std::optional<Growth> growth = recurrence(rule, core, now, period, max_period))
      return smallest(rule, core, std::move(*growth), max_period);
  }
  return std::nullopt;
}

}  // namespace moorea
