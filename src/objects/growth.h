// SPDX-License-Identifier: MIT
// Patterns that grow by the same amount every period: guns, rakes and puffers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "objects/cycle.h"

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

/// The apgcode of cores that recur in `period` generations, with all that they emit. Empty if their
/// populations have no common period of up to 20,000 generations.
std::string growth_code(SearchContext& context, std::span<const CellList> cores,
                        std::span<const Cycle> emitted, std::uint64_t period);

}  // namespace moorea
