// SPDX-License-Identifier: MIT
#include "objects/settled.h"

#include <cstdlib>
#include <limits>
#include <numeric>

#include "objects/divided.h"
#include "objects/meetings.h"
#include "objects/recurrence.h"

namespace moorea {
namespace {

// Parts that are about to die without influence on others, as the sparks of guns and spaceships do.
struct Sparks {
  std::vector<CellList> parts;
  std::uint64_t life = 0;  // generations after which all have died

  // Whether the part dies within so many generations.
  bool take(SearchContext& context, CellList& part, std::uint64_t generations) {
    Evolution evolution(context);
    evolution.add(part);
    std::uint64_t age = 0;
    for (; age < generations && evolution.population() > 0; ++age) evolution.step();
    if (evolution.population() > 0) return false;
    parts.push_back(std::move(part));
    life = std::max(life, age);
    return true;
  }
};

// The object that a part and some of the sparks are in a phase, which are removed from the others. The part
// evolves until all sparks have died: what recurs from then on has had the same phases before.
std::optional<Cycle> find_sparking(SearchContext& context, const CellList& part, Sparks& sparks,
                                   std::uint64_t max_period, std::uint64_t growth_step) {
  Evolution evolution(context);
  evolution.add(part);
  for (std::uint64_t g = 0; g < sparks.life; ++g) evolution.step();
  std::optional<Cycle> cycle = find_cycle(context, evolution.cells(), max_period, growth_step);
  if (!cycle) return std::nullopt;
  const auto life = static_cast<std::int64_t>(sparks.life);
  const CellList all = cycle->at(-life);
  const auto belongs = [&](const CellList& cells) {
    return std::includes(all.begin(), all.end(), cells.begin(), cells.end(), RowOrder());
  };
  CellList sum = part;
  for (const CellList& spark : sparks.parts) {
    if (belongs(spark)) sum.insert(sum.end(), spark.begin(), spark.end());
  }
  std::sort(sum.begin(), sum.end(), RowOrder());
  if (sum != all) return std::nullopt;
  std::erase_if(sparks.parts, belongs);
  Cycle object = *cycle;
  for (std::size_t phase = 0; phase < object.phases.size(); ++phase)
    object.phases[phase] = cycle->at(static_cast<std::int64_t>(phase) - life);
  return object;
}

// Columns or rows between the nearest cells of both, the larger number; at most `least`, which is known.
std::int64_t distance(const CellList& a, const CellList& b, std::int64_t least) {
  const Box box = bounds(b);
  for (const Position& cell : a) {
    if (distance(Box{cell.x, cell.y, 1, 1}, box) >= least) continue;
    for (const Position& other : b)
      least = std::min(least, std::max(std::abs(cell.x - other.x), std::abs(cell.y - other.y)));
  }
  return least;
}

// Sparks recur with the object that emitted them, the nearest one: of cells, for a box may surround others.
void join_sparks(std::vector<CellList>& objects, const std::vector<CellList>& sparks) {
  for (const CellList& spark : sparks) {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    auto nearest = objects.end();
    for (auto object = objects.begin(); object != objects.end(); ++object) {
      const std::int64_t apart = distance(*object, spark, least);
      if (nearest == objects.end() || apart < least) nearest = object;
      least = apart;
    }
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
  Sparks sparks;
  std::erase_if(parts, [&](CellList& part) { return sparks.take(context, part, generations); });
  for (CellList& part : parts) {
    if (add_periodic(part)) continue;
    if (!sparks.parts.empty()) {
      if (auto cycle = find_sparking(context, part, sparks, max_period, time.growth_step)) {
        world.objects.push_back(std::move(*cycle));
        continue;
      }
    }
    // With a spark it may be
    if (time.all_periodic && sparks.parts.empty()) return false;
    world.others.push_back(std::move(part));
  }
  if (sparks.parts.empty()) return !time.all_periodic || world.others.empty();
  join_sparks(world.others, sparks.parts);
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

// Each object may be several ones in another phase.
void divide_objects(SearchContext& context, SettledWorld& world) {
  std::vector<Cycle> objects;
  for (Cycle& object : world.objects)
    for (Cycle& each : divided(context, std::move(object))) objects.push_back(std::move(each));
  world.objects = std::move(objects);
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
      if (*needed <= generations) {
        divide_objects(context, world);
        return world;
      }
    }
    generations = *needed;
  }
}

std::optional<SettledWorld> recurring_world(SearchContext& context, const CellList& cells,
                                            std::uint64_t period) {
  const auto later = [&](const CellList& start) {
    Evolution evolution(context);
    evolution.add(start);
    for (std::uint64_t g = 0; g < period; ++g) evolution.step();
    return evolution.cells();
  };
  if (later(cells) != cells) return std::nullopt;
  Separation separation(context, cells);
  std::vector<CellList> parts = separation.parts(period);
  std::vector<std::pair<Position, std::uint32_t>> owners;  // of the cells, in their order
  for (std::uint32_t part = 0; part < parts.size(); ++part)
    for (const Position& cell : parts[part]) owners.emplace_back(cell, part);
  std::sort(owners.begin(), owners.end(),
            [](const auto& a, const auto& b) { return RowOrder()(a.first, b.first); });
  Labels labels(parts.size());
  for (std::uint32_t part = 0; part < parts.size(); ++part) {
    for (const Position& cell : later(parts[part])) {
      const auto owner =
          std::lower_bound(owners.begin(), owners.end(), cell,
                           [](const auto& entry, const Position& at) { return RowOrder()(entry.first, at); });
      labels.unite(part, owner->second);
    }
  }
  std::vector<CellList> objects(parts.size());
  for (const auto& [cell, part] : owners) objects[labels.find(part)].push_back(cell);
  SettledWorld world;
  for (const CellList& object : objects) {
    if (object.empty()) continue;
    std::optional<Cycle> cycle = find_cycle(context, object, period);
    if (!cycle) return std::nullopt;
    world.objects.push_back(std::move(*cycle));
  }
  divide_objects(context, world);
  return world;
}

}  // namespace moorea
