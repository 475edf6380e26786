// SPDX-License-Identifier: MIT
// Options of a run for one kernel: tiles, launch shape, generations per pass.
#pragma once

#include <memory>
#include <optional>

#include "kernels/kernel.h"
#include "moorea/simulation.h"

namespace moorea {

/// A kernel of the table that does fewer generations per pass.
struct ShallowKernel {
  kernels::Kernel kernel;
  kernels::TableEntry entry;
};

/// Tiles and share of wide threads as the options ask for, with the kernel's own as the default; empty for
/// kernels without tiles.
/// Throws Error (usage) for options that the kernel does not have.
std::optional<Tiling> tiling_of(const kernels::TableEntry& entry, const Options& options);

/// Thread block and bytes per thread, likewise.
std::optional<LaunchShape> launch_shape_of(const kernels::TableEntry& entry, const Options& options);

/// The thread block of a launch shape as kernels receive it.
inline kernels::BlockShape block_of(const LaunchShape& shape) {
  return {shape.block.width, shape.block.height};
}

/// The order of a mesh's faces, likewise.
Numbering numbering_of(const kernels::TableEntry& entry, const Options& options);

/// The neighbour table that a kernel reads; none for kernels of flat worlds alone.
kernels::MeshTable mesh_table_of(const kernels::Kernel& kernel);

/// Order of the faces that suits a kernel's neighbour table.
Numbering default_numbering(kernels::MeshTable table);

/// Default launch parameters of a CUDA or OpenCL kernel that are configurable; others are 0.
LaunchShape default_launch_shape(const kernels::Kernel& kernel);

/// The kernel with `generations` a pass. Throws Error (usage) if it does not support them.
std::shared_ptr<const ShallowKernel> shallow_kernel(const kernels::TableEntry& entry, int generations);

/// Throws Error (usage) for numbers that are invalid for every kernel.
void require_valid(const Options& options);

}  // namespace moorea
