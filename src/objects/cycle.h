// SPDX-License-Identifier: MIT
// Periodic objects: still lifes, oscillators and spaceships.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "objects/cells.h"
#include "objects/search_context.h"

namespace moorea {

/// An object that recurs after `period()` generations, displaced by `displacement`.
struct Cycle {
  std::vector<CellList>
      phases;  ///< generation 0 and the following ones, one for each generation of the period
  Position displacement;

  std::uint64_t period() const { return phases.size(); }
  bool moves() const { return displacement != Position(); }
  /// The cells `generations` after the first phase, or before it if negative.
  CellList at(std::int64_t generations) const;
  /// Box that contains the object in all generations, in a system of coordinates that moves with it by
  /// displacement / period a generation; its position is that of generation 0.
  Box swept() const;
};

/// Evolves `cells` alone until they recur; empty if they do not within `max_period` generations, or if they
/// become far more. If `growth_step` is not 0, cells of which there are more and more, by the same number
/// every so many generations, are not followed any further.
std::optional<Cycle> find_cycle(SearchContext& context, const CellList& cells, std::uint64_t max_period,
                                std::uint64_t growth_step = 0);

}  // namespace moorea
