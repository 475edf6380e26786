// SPDX-License-Identifier: MIT
#include "objects/divided.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>

#include "objects/separate.h"

namespace moorea {
namespace {

constexpr std::uint64_t max_divided_period = 64;

bool is_connected(const CellList& cells) {
  Labels labels(cells.size());
  connect(cells, labels);
  return labels.unions() + 1 == cells.size();
}

// An object whose first phase is the one `generations` before the given object's.
Cycle earlier(const Cycle& object, std::size_t generations) {
  Cycle result;
  result.displacement = object.displacement;
  for (std::size_t g = 0; g < object.phases.size(); ++g)
    result.phases.push_back(object.at(static_cast<std::int64_t>(g) - static_cast<std::int64_t>(generations)));
  return result;
}

// Whether a part recurs whenever the whole does, so that it is separate for ever if it is in one period.
bool recurs_with(const Cycle& part, const Cycle& whole) {
  if (whole.period() % part.period() != 0) return false;
  const auto turns = static_cast<std::int64_t>(whole.period() / part.period());
  return Position{part.displacement.x * turns, part.displacement.y * turns} == whole.displacement;
}

// The objects as which the whole evolves from a phase on; empty if it is one there, or parts are not
// periodic.
std::vector<Cycle> objects_from(SearchContext& context, const Cycle& whole, std::size_t phase) {
  Separation separation(context, whole.phases[phase]);
  const std::vector<CellList> parts = separation.parts(whole.period());
  std::vector<Cycle> objects;
  if (parts.size() == 1) return objects;
  for (const CellList& part : parts) {
    const std::optional<Cycle> cycle = find_cycle(context, part, whole.period());
    if (!cycle || !recurs_with(*cycle, whole)) return {};
    objects.push_back(earlier(*cycle, phase));
  }
  return objects;
}

}  // namespace

std::vector<Cycle> divided(SearchContext& context, Cycle object) {
  std::vector<Cycle> all;
  if (object.period() == 1 || object.period() > max_divided_period) {
    all.push_back(std::move(object));
    return all;
  }
  for (std::size_t phase = 0; phase < object.phases.size(); ++phase) {
    if (is_connected(object.phases[phase])) continue;
    std::vector<Cycle> objects = objects_from(context, object, phase);
    if (objects.empty()) continue;
    for (Cycle& each : objects) {
      std::vector<Cycle> found = divided(context, std::move(each));
      all.insert(all.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
    }
    return all;
  }
  all.push_back(std::move(object));
  return all;
}

}  // namespace moorea
