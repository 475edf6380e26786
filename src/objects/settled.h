// SPDX-License-Identifier: MIT
// Objects of a world at one generation, as far as they are periodic.
#pragma once

#include <cstdint>
#include <vector>

#include "objects/cycle.h"
#include "objects/separate.h"

namespace moorea {

struct SettledWorld {
  std::vector<Cycle> objects;    ///< periodic for ever: none meets another one
  std::vector<CellList> others;  ///< objects that are not periodic; none if the world has settled

  CellList at(std::int64_t generations) const;  ///< cells of the objects so many generations later
};

/// What all objects of a settled world do together: after `period` generations they are where they were,
/// displaced by `displacement`.
struct WholePeriod {
  std::uint64_t period = 0;
  Position displacement;
};

/// The smallest period; 0 if objects move differently, or if it exceeds 2^63 - 1.
WholePeriod whole_period(const SettledWorld& world);

/// How long cells are examined.
struct SettlingTime {
  std::uint64_t generations = 0;      ///< for which objects do not influence each other
  std::uint64_t max_generations = 0;  ///< if objects near each other may do so later
  std::uint64_t growth_step = 0;      ///< as for find_cycle()
  bool all_periodic = false;          ///< the result is empty if there are `others`
};

/// Partitions the cells into objects that do not influence each other within `generations`, or for as long as
/// it takes until those near each other could not do so any more, if that is at most `max_generations`.
/// Empty if periodic objects may meet later.
std::optional<SettledWorld> settled_world(SearchContext& context, Separation& separation,
                                          const SettlingTime& time);

/// The objects of cells of which all are where they were after `period` generations: what does not influence
/// each other in that time never does. Cells that take each other's places, as gliders on their way from a
/// gun to an eater, are one object with both. Empty if the cells do not recur.
std::optional<SettledWorld> recurring_world(SearchContext& context, const CellList& cells,
                                            std::uint64_t period);

}  // namespace moorea
