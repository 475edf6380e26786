// SPDX-License-Identifier: MIT
// Patterns that grow by the same amount every period: guns, rakes and puffers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "objects/cycle.h"
#include "objects/settled.h"

namespace moorea {

/// A core that recurs after `period` generations, displaced, together with periodic objects.
struct Growth {
  std::uint64_t period = 0;
  Position displacement;       ///< of the core, in one period
  std::uint64_t gain = 0;      ///< live cells in one period
  std::vector<Cycle> emitted;  ///< in one period, as they are at its end
};

/// Evolves `core` alone for multiples of `step` generations up to the largest period. It gains `gain` live
/// cells in a step, if that is given. Empty if it does not recur with objects that are all periodic.
std::optional<Growth> find_growth(SearchContext& context, const CellList& core, std::uint64_t step,
                                  std::optional<std::uint64_t> gain);

/// Live cells that a part has gained after several of its periods: what it emitted first has changed
/// meanwhile.
std::uint64_t gain_of(const Growth& part, std::uint64_t generations);

/// Of all parts in `period` generations; (0, 0) if they move differently.
Position common_displacement(std::span<const Growth> parts, std::uint64_t period);

/// A pattern that recurs as a whole, together with all that it has emitted before.
struct WholeGrowth {
  Growth growth;
  CellList
      core;  ///< all cells that recur: without what moves away by itself, such as the remains of the start
  bool is_endless = false;  ///< whether nothing that moves will meet anything else later
};

/// Whether all of `world` recurs after a divisor of `generations`, within which no object of it influences
/// another one: what it has emitted is where the object emitted before it was, if seen from the core, and
/// what is there beyond that are the oldest objects. Unlike the search above it needs no core without what
/// flies between the parts of a gun, however long that takes, but the same displacement for all.
std::optional<WholeGrowth> find_whole_growth(SearchContext& context, const SettledWorld& world,
                                             std::uint64_t generations);

/// The apgcode of cores that recur in `period` generations, with all that they emit. Empty if their
/// populations have no common period of up to 20,000 generations.
std::string growth_code(SearchContext& context, std::span<const CellList> cores,
                        std::span<const Cycle> emitted, std::uint64_t period);

}  // namespace moorea
