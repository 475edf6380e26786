// SPDX-License-Identifier: MIT
#include "objects/settled.h"

#include <numeric>

#include "objects/meetings.h"
#include "objects/recurrence.h"

namespace moorea {
namespace {

// A part that is about to die without influence on others, as the sparks of a gun do.
bool dies(SearchContext& context, const CellList& part, std::uint64_t generations) {
  Evolution evolution(context);
  evolution.add(part);
  for (std::uint64_t g = 0; g < generations && evolution.population() > 0; ++g) evolution.step();
  return evolution.population() == 0;
}

// Sparks recur with the object that emitted them, the nearest one.
void join_sparks(std::vector<CellList>& objects, const std::vector<CellList>& sparks) {
  for (const CellList& spark : sparks) {
    const Box box = bounds(spark);
    const auto nearest =
        std::min_element(objects.begin(), objects.end(), [&](const CellList& a, const CellList& b) {
          return distance(bounds(a), box) < distance(bounds(b), box);
        });
    if (nearest == objects.end()) {
      objects.push_back(spark);
      continue;
    }
    nearest->insert(nearest->end(), spark.begin(), spark.end());
    std::sort(nearest->begin(), nearest->end(), RowOrder());
  }
}

// Objects of a longer period than this are rare, and take long to recognise.
constexpr std::uint64_t short_period = 64;
// Periods of objects in a pattern that grows, in steps of its growth
constexpr std::uint64_t max_steps_of_period = 8;

// Adds parts that have no short period. Returns false if all have to be periodic, and one is not.
bool add_slow_objects(SearchContext& context, SettledWorld& world, std::vector<CellList> parts,
                      std::uint64_t generations, const SettlingTime& time) {
  std::uint64_t max_period = context.max_period();
  if (time.growth_step != 0)
    max_period = std::min(max_period, std::max(max_steps_of_period * time.growth_step, 8 * short_period));
  const auto add_periodic = [&](const CellList& part) {
    std::optional<Cycle> cycle = find_cycle(context, part, max_period, time.growth_step);
    if (cycle) world.objects.push_back(std::move(*cycle));
    return cycle.has_value();
  };
  std::vector<CellList> sparks;
  std::erase_if(parts, [&](CellList& part) {
    if (!dies(context, part, generations)) return false;
    sparks.push_back(std::move(part));
    return true;
  });
  for (CellList& part : parts) {
    if (add_periodic(part)) continue;
    // With a spark it may be
    if (time.all_periodic && sparks.empty()) return false;
    world.others.push_back(std::move(part));
  }
  if (sparks.empty()) return true;
  join_sparks(world.others, sparks);
  std::erase_if(world.others, add_periodic);
  return !time.all_periodic || world.others.empty();
}

// A multiple of the smallest period: that of all objects, each alone.
WholePeriod common_period(const SettledWorld& world) {
  WholePeriod common = {1, {}};
  for (const Cycle& object : world.objects) {
    std::uint64_t turns = object.period() / std::gcd(common.period, object.period());
    if (__builtin_mul_overflow(common.period, turns, &common.period) || common.period > INT64_MAX) return {};
  }
  const auto displacement = [&](const Cycle& object) -> std::optional<Position> {
    const auto turns = static_cast<std::int64_t>(common.period / object.period());
    Position by;
    if (__builtin_mul_overflow(object.displacement.x, turns, &by.x) ||
        __builtin_mul_overflow(object.displacement.y, turns, &by.y))
      return std::nullopt;
    return by;
  };
  for (const Cycle& object : world.objects) {
    const std::optional<Position> by = displacement(object);
    if (!by || (&object != &world.objects[0] && *by != common.displacement)) return {};
    common.displacement = *by;
  }
  return common;
}

}  // namespace

CellList SettledWorld::at(std::int64_t generations) const {
  CellList cells;
  for (const Cycle& object : objects) {
    const CellList now = object.at(generations);
    cells.insert(cells.end(), now.begin(), now.end());
  }
  std::sort(cells.begin(), cells.end(), RowOrder());
  return cells;
}

WholePeriod whole_period(const SettledWorld& world) {
  const WholePeriod common = common_period(world);
  if (common.period <= 1) return common;
  const CellList cells = world.at(0);
  WholePeriod whole = common;
  smallest_divisor(common.period, [&](std::uint64_t period) {
    const CellList later = world.at(static_cast<std::int64_t>(period));
    const Position by = later.front() - cells.front();
    if (later != translated(cells, by)) return false;
    whole = {period, by};
    return true;
  });
  return whole;
}

std::optional<SettledWorld> settled_world(SearchContext& context, Separation& separation,
                                          const SettlingTime& time) {
  std::uint64_t generations = time.generations;
  while (true) {
    SettledWorld world;
    std::vector<CellList> left;
    for (CellList& part : separation.parts(generations)) {
      if (std::optional<Cycle> cycle =
              find_cycle(context, part, std::min(short_period, context.max_period())))
        world.objects.push_back(std::move(*cycle));
      else
        left.push_back(std::move(part));
    }
    // If these may meet, it is of no use to look for long periods
    std::optional<std::uint64_t> needed =
        generations_until_apart(context, world.objects, time.max_generations);
    if (!needed) return std::nullopt;
    if (*needed <= generations) {
      if (!add_slow_objects(context, world, std::move(left), generations, time)) return std::nullopt;
      needed = generations_until_apart(context, world.objects, time.max_generations);
      if (!needed) return std::nullopt;
      if (*needed <= generations) return world;
    }
    generations = *needed;
  }
}

}  // namespace moorea
