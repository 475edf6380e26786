// SPDX-License-Identifier: MIT
#include "objects/growth.h"

#include <algorithm>
#include <numeric>

#include "objects/apgcode.h"
#include "objects/outlook.h"

namespace moorea {
namespace {

// Periods that are tried: the populations of a pattern, which give the step, recur at least as often as that
constexpr std::uint64_t max_multiple = 8;
// Multiples at which the core has moved on as before, but its remains have not settled, after which no more
// are tried: the last remains are as young at all of them
constexpr int max_unsettled = 3;
// Generations in which the population is counted for an apgcode, divided by four
constexpr std::uint64_t max_code_period = 20'000;

bool includes(const CellList& all, const CellList& some) {
  constexpr std::size_t few = 32;  // times as many cells are looked through faster than found one by one
  if (some.size() * few > all.size())
    return std::includes(all.begin(), all.end(), some.begin(), some.end(), RowOrder());
  return std::all_of(some.begin(), some.end(), [&](const Position& cell) {
    return std::binary_search(all.begin(), all.end(), cell, RowOrder());
  });
}

CellList difference(const CellList& all, const CellList& some) {
  CellList rest;
  std::set_difference(all.begin(), all.end(), some.begin(), some.end(), std::back_inserter(rest), RowOrder());
  return rest;
}

// Displacements by which the first and the last cell of the core are those of other cells: at first those of
// an edge of the box, or none, for columns and rows. Objects that are faster than the core are beyond the
// edges.
std::vector<Position> displacements(const CellList& core, const CellList& now) {
  std::vector<Position> all;
  const auto add = [&](const Position& by) {
    const auto has = [&](const Position& cell) {
      return std::binary_search(now.begin(), now.end(), cell + by, RowOrder());
    };
    if (has(core.front()) && has(core.back()) && std::find(all.begin(), all.end(), by) == all.end())
      all.push_back(by);
  };
  const Box before = bounds(core), after = bounds(now);
  for (const std::int64_t x : {std::int64_t{0}, after.x - before.x, after.right() - before.right()}) {
    for (const std::int64_t y : {std::int64_t{0}, after.y - before.y, after.bottom() - before.bottom()})
      add({x, y});
  }
  for (const Position& cell : now) add(cell - core.front());
  return all;
}

struct Attempt {
  std::optional<Growth> growth;  // if the core has recurred, and all else has settled
  // Otherwise the displacement of the core, if it is there among remains that have not settled
  std::optional<Position> displacement;
};

// Whether `core`, which has become `now` after `period` generations, has recurred.
Attempt recurrence(SearchContext& context, const CellList& core, const CellList& now, std::uint64_t period) {
  Attempt attempt;
  if (now.size() <= core.size()) return attempt;
  context.add_work(now.size());
  for (const Position& by : displacements(core, now)) {
    const CellList moved = translated(core, by);
    if (!includes(now, moved)) continue;
    if (!attempt.displacement) attempt.displacement = by;
    Separation separation(context, difference(now, moved));
    std::optional<SettledWorld> emitted =
        settled_world(context, separation, {period, context.max_period(), period, true});
    if (!emitted || !emitted->others.empty()) continue;
    attempt.growth = Growth{period, by, now.size() - core.size(), std::move(emitted->objects)};
    return attempt;
  }
  return attempt;
}

// The smallest divisor of the period after which the core recurs.
Growth smallest(SearchContext& context, const CellList& core, Growth growth) {
  Evolution evolution(context);
  evolution.add(core);
  for (std::uint64_t period = 1; period < growth.period; ++period) {
    evolution.step();
    if (growth.period % period != 0) continue;
    if (Attempt found = recurrence(context, core, evolution.cells(), period); found.growth)
      return std::move(*found.growth);
  }
  return growth;
}

CellList sum(const std::vector<CellList>& parts) {
  CellList all;
  for (const CellList& part : parts) all.insert(all.end(), part.begin(), part.end());
  std::sort(all.begin(), all.end(), RowOrder());
  return all;
}

// A world and what becomes of it in `period` generations. No object influences another one within `apart`.
struct Passed {
  const SettledWorld& world;
  CellList others, others_later;
  std::uint64_t period, apart;

  Passed(SearchContext& context, const SettledWorld& the_world, std::uint64_t generations,
         std::uint64_t independent_for)
      : world(the_world), others(sum(world.others)), period(generations), apart(independent_for) {
    Evolution evolution(context);
    evolution.add(others);
    for (std::uint64_t g = 0; g < period; ++g) evolution.step();
    others_later = evolution.cells();
  }

  // Whether all recurs, displaced by `by`, but for objects that go their own ways.
  std::optional<WholeGrowth> recurs(SearchContext& context, const Position& by) const {
    std::vector<CellList> now = {others}, later = {others_later};
    std::vector<const Cycle*> recurring;
    for (const Cycle& object : world.objects) recurring.push_back(&object);
    CellList all_later;
    for (bool is_stable = false; !is_stable;) {
      later.resize(1);
      for (const Cycle* object : recurring) later.push_back(object->at(static_cast<std::int64_t>(period)));
      all_later = sum(later);
      context.add_work(all_later.size());
      if (!includes(all_later, translated(others, by))) return std::nullopt;
      is_stable = std::erase_if(recurring, [&](const Cycle* object) {
                    context.add_work(1 + object->phases[0].size() / 4);
                    return !includes(all_later, translated(object->phases[0], by));
                  }) == 0;
    }
    for (const Cycle* object : recurring) now.push_back(object->phases[0]);
    WholeGrowth found;
    found.core = sum(now);
    CellList gained = difference(all_later, translated(found.core, by));
    if (gained.empty()) return std::nullopt;
    const std::size_t gain = gained.size();
    Separation separation(context, std::move(gained));
    std::optional<SettledWorld> emitted =
        settled_world(context, separation, {period, context.max_period(), period, true});
    if (!emitted || !emitted->others.empty()) return std::nullopt;
    found.growth = {period, by, gain, std::move(emitted->objects)};
    std::vector<const Cycle*> leaving;
    auto next = recurring.begin();  // in the order of the world's objects
    for (const Cycle& object : world.objects) {
      if (next != recurring.end() && *next == &object)
        ++next;
      else
        leaving.push_back(&object);
    }
    found.is_endless = grows_for_ever(context, {world.others, recurring, leaving}, found.growth, apart);
    return found;
  }
};

// Generations after which an object's numbers of live cells recur: 1 for a glider.
std::uint64_t population_period(const Cycle& object) {
  const std::size_t period = object.phases.size();
  for (std::size_t part = 1; part < period; ++part) {
    if (period % part != 0) continue;
    std::size_t at = part;
    while (at < period && object.phases[at].size() == object.phases[at - part].size()) ++at;
    if (at == period) return part;
  }
  return period;
}

}  // namespace

std::optional<Growth> find_growth(SearchContext& context, const CellList& core, std::uint64_t step,
                                  std::optional<std::uint64_t> gain) {
  if (core.empty() || step == 0) return std::nullopt;
  Evolution evolution(context);
  evolution.add(core);
  const std::uint64_t max_period = std::min(context.max_period(), max_multiple * step);
  Position first;  // displacement of the core at the first multiple at which it is among unsettled remains
  std::int64_t first_multiple = 0;
  int unsettled = 0;
  for (std::uint64_t period = step; period <= max_period && unsettled < max_unsettled; period += step) {
    for (std::uint64_t g = 0; g < step; ++g) evolution.step();
    if (gain && evolution.population() != core.size() + *gain * (period / step)) continue;
    Attempt attempt = recurrence(context, core, evolution.cells(), period);
    if (attempt.growth) return smallest(context, core, std::move(*attempt.growth));
    if (!attempt.displacement) continue;
    const Position by = *attempt.displacement;
    const auto multiple = static_cast<std::int64_t>(period / step);
    if (first_multiple == 0) {
      first = by;
      first_multiple = multiple;
    }
    // A small core is elsewhere by chance
    if (by.x * first_multiple == first.x * multiple && by.y * first_multiple == first.y * multiple)
      ++unsettled;
  }
  return std::nullopt;
}

std::optional<WholeGrowth> find_whole_growth(SearchContext& context, const SettledWorld& world,
                                             std::uint64_t generations) {
  if (world.others.empty()) return std::nullopt;
  const Passed passed(context, world, generations, generations);
  for (const Position& by : displacements(passed.others, passed.others_later)) {
    std::optional<WholeGrowth> found = passed.recurs(context, by);
    if (!found) continue;
    for (std::uint64_t period = 1; period < generations; ++period) {
      const auto turns = static_cast<std::int64_t>(generations / period);
      if (generations % period != 0 || by.x % turns != 0 || by.y % turns != 0) continue;
      const Position part = {by.x / turns, by.y / turns};
      auto sooner = Passed(context, world, period, generations).recurs(context, part);
      if (sooner && (sooner->is_endless || !found->is_endless)) return sooner;
    }
    return found;
  }
  return std::nullopt;
}

Position common_displacement(std::span<const Growth> parts, std::uint64_t period) {
  std::vector<Position> all;
  for (const Growth& part : parts) {
    const auto turns = static_cast<std::int64_t>(period / part.period);
    all.push_back({part.displacement.x * turns, part.displacement.y * turns});
  }
  return std::all_of(all.begin(), all.end(), [&](const Position& by) { return by == all[0]; }) ? all[0]
                                                                                               : Position();
}

// Live cells that a part has gained after several of its periods; what it emitted first has changed
// meanwhile.
std::uint64_t gain_of(const Growth& part, std::uint64_t generations) {
  std::uint64_t gain = 0;
  for (std::uint64_t age = 0; age < generations; age += part.period) {
    for (const Cycle& object : part.emitted) gain += object.phases[age % object.period()].size();
  }
  return gain;
}

std::string growth_code(SearchContext& context, std::span<const CellList> cores,
                        std::span<const Cycle> emitted, std::uint64_t period) {
  for (const Cycle& object : emitted) {
    if (period > max_code_period) return {};
    period = std::lcm(period, population_period(object));
  }
  if (period > max_code_period) return {};
  std::vector<std::uint64_t> populations(4 * period);
  for (const CellList& core : cores) {
    Evolution evolution(context);
    evolution.add(core);
    for (std::uint64_t& population : populations) {
      population += evolution.population();
      evolution.step();
    }
  }
  return apgcode_of_growth(populations);
}

}  // namespace moorea
