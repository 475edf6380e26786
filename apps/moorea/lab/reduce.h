// SPDX-License-Identifier: MIT
// The row of a results file for a reduction that was timed.
#pragma once

#include "cli/app.h"
#include "moorea/reduction.h"

namespace app {

/// `timing` has samples.
Json reduction_row(const moorea::ReductionTiming& timing, double copy_bytes_per_second);

}  // namespace app
