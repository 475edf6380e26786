// SPDX-License-Identifier: MIT
#include "objects/cycle.h"

#include <cmath>

namespace moorea {
namespace {

// Cells of an object that may be periodic: more than this times the first generation's, and it is not tried
// any further
constexpr std::size_t max_growth = 4;
constexpr std::size_t small = 64;

// Displacement from `a` to `b`, if they are of one shape.
std::optional<Position> displacement(const Cells& a, const Cells& b) {
  if (a.size() != b.size()) return std::nullopt;
  const Position by = b.front() - a.front();
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (b[i] - a[i] != by) return std::nullopt;
  }
  return by;
}

}  // namespace

Cells Cycle::at(std::int64_t generations) const {
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

std::optional<Cycle> find_cycle(const Rule& rule, const Cells& cells, std::uint64_t max_period) {
  if (cells.empty()) return std::nullopt;
  Cycle cycle;
  Cells now = cells;
  for (std::uint64_t g = 0; g < max_period; ++g) {
    cycle.phases.push_back(now);
    now = advance(rule, now);
    if (now.empty() || now.size() > small + max_growth * cells.size()) return std::nullopt;
    if (const std::optional<Position> by = displacement(cells, now)) {
      cycle.displacement = *by;
      return cycle;
    }
  }
  return std::nullopt;
}

}  // namespace moorea
