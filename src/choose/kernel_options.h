// SPDX-License-Identifier: MIT
// Options of a run for one kernel: tiles, launch shape, generations a pass.
#pragma once

#include <memory>
#include <optional>

#include "kernels/kernel.h"
#include "moorea/simulation.h"

namespace moorea {

/// A kernel of the table that does fewer generations a pass.
struct ShallowKernel {
  kernels::Kernel kernel;
  kernels::TableEntry entry;
};

/// Tiles as the options ask for, with the kernel's own tile as the default; empty for kernels without tiles.
/// Throws Error (usage) for options that the kernel does not have.
std::optional<Tiling> tiling_of(const kernels::TableEntry& entry, const Options& options);

/// Thread block and bytes per thread, likewise.
std::optional<LaunchShape> launch_shape_of(const kernels::TableEntry& entry, const Options& options);

/// The kernel with `generations` a pass. Throws Error (usage) if it does not support them.
std::shared_ptr<const ShallowKernel> shallow_kernel(const kernels::TableEntry& entry, int generations);

/// Throws Error (usage) for numbers that are invalid for every kernel.
void require_valid(const Options& options);

}  // namespace moorea
