// SPDX-License-Identifier: MIT
// Row of a results file for a timed reduction.
#pragma once

#include "cli/app.h"
#include "moorea/lab/reduction.h"

namespace app {

/// Computes the row; `timing` must have samples.
Json reduction_row(const moorea::ReductionTiming& timing, double copy_bytes_per_second);

}  // namespace app
