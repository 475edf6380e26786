// SPDX-License-Identifier: MIT
// Objects of a world at one generation, as far as they are periodic.
#pragma once

#include <cstdint>
#include <vector>

#include "objects/cycle.h"

namespace moorea {

struct SettledWorld {
  std::vector<Cycle> objects;  ///< periodic for ever: none meets another one
  std::vector<Cells> others;   ///< objects that are not periodic; none if the world has settled

  Cells at(std::int64_t generations) const;  ///< cells of the objects so many generations later
};

/// What all objects of a settled world do together: after `period` generations they are where they were,
/// displaced by `displacement`.
struct WholePeriod {
  std::uint64_t period = 0;
  Position displacement;
};

/// The smallest period; 0 if objects move differently, or if it exceeds 2^63 - 1.
WholePeriod whole_period(const SettledWorld& world);

/// Partitions the cells into objects that do not influence each other within `generations`, or for as long as
/// it takes until those near each other could not do so any more, if that is at most `max_generations`.
/// Periods of objects are searched up to `max_period`. Empty if periodic objects may meet.
std::optional<SettledWorld> settled_world(const Rule& rule, const Cells& cells, std::uint64_t generations,
                                          std::uint64_t max_generations, std::uint64_t max_period);

}  // namespace moorea
