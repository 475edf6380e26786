// SPDX-License-Identifier: MIT
// Row of a results file for a timed reduction.
#pragma once

#include "cli/app.h"
#include "moorea/lab/reduction.h"

namespace app {

/// Type by its name, "uint32" or "float". Throws moorea::Error (usage).
moorea::ReductionType parse_reduction_type(const std::string& name);

/// "the sum is 5, the CPU's is 6", with the tolerance for floats.
std::string wrong_sum_text(const moorea::ReductionTiming& timing);

/// Computes the row; `timing` must have samples.
Json reduction_row(const moorea::ReductionTiming& timing, double copy_bytes_per_second);

}  // namespace app
