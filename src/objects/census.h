// SPDX-License-Identifier: MIT
// Counts of equal objects.
#pragma once

#include <span>
#include <vector>

#include "moorea/identify.h"
#include "objects/cycle.h"

namespace moorea {

/// One entry for each sort of object, the most frequent first. Names are given under Conway's Life alone.
std::vector<ObjectCount> count_objects(SearchContext& context, std::span<const Cycle> objects);

}  // namespace moorea
