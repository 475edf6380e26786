// SPDX-License-Identifier: MIT
// What is told of a reduction that was timed.
#pragma once

#include "app.h"
#include "moorea/reduction.h"

namespace app {

/// `timing` has samples.
Json reduction_row(const moorea::ReductionTiming& timing, double copy_bytes_per_second);

}  // namespace app
