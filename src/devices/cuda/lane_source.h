// SPDX-License-Identifier: MIT
// Shapes of the groups that kernels of ensembles advance, see kernels/cuda/lanes_call.h.
#pragma once

#include <optional>

#include "devices/cuda/lane_cells.h"
#include "kernels/kernel.h"

namespace moorea::cuda {

/// The shape with the fewest segments such that a warp has a group in its registers; nothing if there is
/// none.
std::optional<LanesShape> register_shape(const kernels::World& world);

/// That shape, or else whole worlds for the other memories.
LanesShape lanes_shape(const kernels::World& world);

}  // namespace moorea::cuda
