// SPDX-License-Identifier: MIT
// Whether a pattern that has grown by the same amount in each period will do so for ever: whether the core,
// all that it will emit, and what is not part of it never come near each other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "objects/growth.h"
#include "objects/settled.h"

namespace moorea {

/// What a pattern that recurs as a whole consists of at one generation.
struct WholePattern {
  const std::vector<CellList>& others;  ///< parts that are not periodic
  std::span<const Cycle* const>
      recurring;  ///< objects that are there again after a period, or others like them
  std::span<const Cycle* const> leaving;  ///< objects that are not
};

/// Of a pattern that recurs as a whole, whose objects do not influence each other for `generations`. Paths
/// are those of boxes, seen from the core, so that a meeting may be expected that does not happen, but not
/// the contrary.
bool grows_for_ever(SearchContext& context, const WholePattern& pattern, const Growth& growth,
                    std::uint64_t generations);

/// Of cores that recur each by itself, among the objects of `world`. It is not examined whether objects meet
/// of which one is not yet emitted.
bool grow_for_ever(SearchContext& context, const SettledWorld& world, std::span<const CellList> cores,
                   std::span<const Growth> parts, std::uint64_t generations);

}  // namespace moorea
