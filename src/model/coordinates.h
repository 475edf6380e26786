// SPDX-License-Identifier: MIT
// Range checks of coordinates from callers, before a sum of two of them could overflow.
#pragma once

#include "moorea/grid.h"

namespace moorea {

/// Throws Error (usage) unless both are within +-max_coordinate. `what` begins the message.
void require_coordinates(std::int64_t x, std::int64_t y, const char* what);

/// Throws Error (usage) unless the position is within +-max_coordinate and the sides are 0 to max_coordinate.
/// `what` begins the message.
void require_box(const Box& box, const char* what);

}  // namespace moorea
