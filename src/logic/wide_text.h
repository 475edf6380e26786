// SPDX-License-Identifier: MIT
// A rule of Larger than Life as constants of code that is compiled at run time.
#pragma once

#include <string>
#include <string_view>

#include "moorea/larger_than_life.h"

namespace moorea {

/// The constants that kernels/cuda/wide.cuh describes.
std::string wide_text(const LargerThanLife& counts);

/// Those of opencl/wide/sliding.cl: WIDE_CELLS, WIDE_RUNS and COUNT_DIGITS, the runs of neighbours in the
/// arrays run_dy, run_first and run_last, and lives_by(count, alive).
std::string opencl_wide_text(const LargerThanLife& counts);

}  // namespace moorea
