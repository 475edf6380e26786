// SPDX-License-Identifier: MIT
// Configurations that moorea bench --submit measures.
#pragma once

#include "lab/combinations.h"

namespace app {

/// Selection for the table of devices (docs/devices.md), where nothing else is chosen: the CPU and all CUDA
/// devices, three squares, Life and ANNEAL.
Selection selection_to_submit();

/// Combinations for that table: each device in all sizes one after the other, by default with the kernel that
/// is its default for a busy world of this size, so that the speed is the device's and not the world's.
/// Kernels that are named are those of the devices on which they run. Throws as combine().
Combined combine_to_submit(const Selection& selection);

}  // namespace app
