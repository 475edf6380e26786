// SPDX-License-Identifier: MIT
// Objects that are several ones in another phase.
#pragma once

#include <vector>

#include "objects/cycle.h"

namespace moorea {

/// Divides an object of which a phase consists of objects that do not influence each other, although they
/// touch in its first phase; the result begins at the first phase. An object that is one in each phase, or
/// whose period exceeds 64, is the only one of the result.
std::vector<Cycle> divided(SearchContext& context, Cycle object);

}  // namespace moorea
