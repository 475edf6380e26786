// SPDX-License-Identifier: MIT
// Coordinates from callers, refused before any sum of two of them could overflow.
#pragma once

#include "moorea/grid.h"

namespace moorea {

/// Throws Error (usage) unless both lie within max_coordinate. `what` begins the sentence.
void require_coordinates(std::int64_t x, std::int64_t y, const char* what);

/// The same for a box, of a size from 0 to max_coordinate.
void require_box(const Box& box, const char* what);

}  // namespace moorea
