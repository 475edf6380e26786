// SPDX-License-Identifier: MIT
#include "objects/cycle.h"

#include <cmath>

#include "objects/evolution.h"

namespace moorea {
namespace {

// Cells of an object that may be periodic: more than this times the first generation's, and it is not tried
// any further
constexpr std::size_t max_growth = 4;
constexpr std::size_t small = 64;
// Steps after which growth is looked for, in the last two at a time
constexpr std::uint64_t growth_steps = 3;

// Displacement from `a` to `b`, if they are of one shape.
std::optional<Position> displacement(const CellList& a, const CellList& b) {
  if (a.size() != b.size()) return std::nullopt;
  const Position by = b.front() - a.front();
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (b[i] - a[i] != by) return std::nullopt;
  }
  return by;
}

struct Recurring {
  std::uint64_t period = 0;
  Position displacement;
};

// Whether populations grow by the same number in each of the last `step` generations and those before.
bool grows(const std::vector<std::uint64_t>& populations, std::uint64_t step) {
  const auto last = populations.end() - static_cast<std::ptrdiff_t>(step);
  const std::uint64_t growth = *last - *(last - static_cast<std::ptrdiff_t>(step));
  if (growth == 0 || *last < growth) return false;
  return std::equal(last, populations.end(), last - static_cast<std::ptrdiff_t>(step),
                    [&](std::uint64_t now, std::uint64_t before) { return now == before + growth; });
}

std::optional<Recurring> find_recurring(SearchContext& context, const CellList& cells,
                                        std::uint64_t max_period, std::uint64_t growth_step) {
  const Box box = bounds(cells);
  std::vector<std::uint64_t> populations;
  Evolution evolution(context);
  evolution.add(cells);
  for (std::uint64_t g = 1; g <= max_period; ++g) {
    evolution.step();
    const std::uint64_t population = evolution.population();
    if (population == 0 || population > small + max_growth * cells.size()) return std::nullopt;
    if (growth_step != 0) {
      populations.push_back(population);
      if (g >= growth_steps * growth_step && g % growth_step == 0 && grows(populations, growth_step))
        return std::nullopt;
    }
    if (population != cells.size() || evolution.bounding_box()->size() != box.size()) continue;
    if (const std::optional<Position> by = displacement(cells, evolution.cells())) return Recurring{g, *by};
  }
  return std::nullopt;
}

}  // namespace

CellList Cycle::at(std::int64_t generations) const {
  const auto length = static_cast<std::int64_t>(period());
  std::int64_t phase = generations % length;
  if (phase < 0) phase += length;
  const std::int64_t turns = (generations - phase) / length;
  return translated(phases[static_cast<std::size_t>(phase)],
                    {displacement.x * turns, displacement.y * turns});
}

Box Cycle::swept() const {
  Box box;
  for (std::size_t phase = 0; phase < phases.size(); ++phase) {
    const double passed = static_cast<double>(phase) / static_cast<double>(phases.size());
    const double x = static_cast<double>(displacement.x) * passed;
    const double y = static_cast<double>(displacement.y) * passed;
    const Box at = bounds(phases[phase]);
    const Position low = {static_cast<std::int64_t>(std::ceil(x)), static_cast<std::int64_t>(std::ceil(y))};
    const Position high = {static_cast<std::int64_t>(std::floor(x)),
                           static_cast<std::int64_t>(std::floor(y))};
    box = unite(box, unite(at.translated(-low), at.translated(-high)));
  }
  return box;
}

std::optional<Cycle> find_cycle(SearchContext& context, const CellList& cells, std::uint64_t max_period,
                                std::uint64_t growth_step) {
  if (cells.empty()) return std::nullopt;
  const std::optional<Recurring> found = find_recurring(context, cells, max_period, growth_step);
  if (!found) return std::nullopt;
  // Again, as phases of what does not recur would take much memory
  Cycle cycle;
  cycle.displacement = found->displacement;
  cycle.phases.push_back(cells);
  Evolution evolution(context);
  evolution.add(cells);
  while (cycle.period() < found->period) {
    evolution.step();
    cycle.phases.push_back(evolution.cells());
  }
  return cycle;
}

}  // namespace moorea
