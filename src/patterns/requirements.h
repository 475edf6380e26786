// SPDX-License-Identifier: MIT
#pragma once

#include "moorea/pattern.h"

namespace moorea {

/// Throws Error (run) if the pattern has cells in states that a rule of so many states lacks.
void require_states(const Pattern& pattern, int states);

/// The cell of a world with a size that the pattern's top-left cell becomes, see place_of(). Throws Error
/// (run) if live cells would be outside.
Position require_place(const Pattern& pattern, Size world);

}  // namespace moorea
