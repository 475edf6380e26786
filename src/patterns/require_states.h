// SPDX-License-Identifier: MIT
#pragma once

#include "moorea/pattern.h"

namespace moorea {

/// Throws Error (run) if the pattern has cells in states that a rule of so many states lacks.
void require_states(const Pattern& pattern, int states);

}  // namespace moorea
