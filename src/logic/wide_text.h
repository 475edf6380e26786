// SPDX-License-Identifier: MIT
// A rule of Larger than Life as constants of code that is compiled at run time.
#pragma once

#include <string>

#include "moorea/larger_than_life.h"

namespace moorea {

/// The constants that kernels/cuda/wide.cuh describes.
std::string wide_text(const LargerThanLife& counts);

}  // namespace moorea
