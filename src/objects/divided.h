// SPDX-License-Identifier: MIT
// Objects that are several ones in another phase.
#pragma once

#include <vector>

#include "objects/cycle.h"

namespace moorea {

/// The objects of what was one in its first phase, where their cells may be neighbours without influence on
/// each other: of the phase in which they are separate, at generation 0. Objects of a period of more than 64
/// are not divided.
std::vector<Cycle> divided(SearchContext& context, Cycle object);

}  // namespace moorea
