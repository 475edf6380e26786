// SPDX-License-Identifier: MIT
// Sizes that OpenCL kernels refuse, by the names of their line "// @refuses".
#pragma once

#include "kernels/kernel.h"

namespace moorea::kernels {

inline const char* power_of_two_width(const World& world, int) {
  return world.width > 0 && (world.width & (world.width - 1)) == 0 ? nullptr : "its worlds are a power of two wide";
}

}  // namespace moorea::kernels
