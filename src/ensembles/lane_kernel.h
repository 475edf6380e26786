// SPDX-License-Identifier: MIT
// Selection of the kernel of an ensemble.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "jit/bound_kernel.h"
#include "kernels/kernel.h"
#include "moorea/ensemble.h"

namespace moorea {

/// Returns the GPU of a name, "cuda" or "cuda:1"; empty for "cpu". Throws Error (usage) for another name,
/// with `what` it does not advance, Error (unavailable) if there is no such GPU.
std::optional<int> gpu_named(const std::string& device, std::string_view what);

/// Returns the GPU that the options name; empty for the CPU. Throws Error (usage) for another name, Error
/// (unavailable) if there is no such GPU.
std::optional<int> gpu_of(const EnsembleOptions& options);

/// Returns the named kernel, or the one that EnsembleOptions::kernel describes; for a GPU the one of 64
/// lanes. Throws Error (usage) for an unknown name or a kernel of another kind, Error (unavailable) if the
/// machine does not support the kernel.
const kernels::TableEntry& lane_kernel(const EnsembleSpec& spec, const EnsembleOptions& options);

/// Returns the kernel bound to a rule. Throws Error (unavailable) if it refuses the rule or the machine.
BoundKernel bind_lanes(const kernels::TableEntry& entry, Topology topology, const Rule& rule);

/// Worlds per vector of a kernel of the strided layout.
int lanes_of(const kernels::TableEntry& entry);

/// Returns the number of threads that the options ask for. Throws Error (usage) for an invalid one.
int ensemble_threads(const EnsembleOptions& options);

/// Throws Error (usage) for an invalid size, topology, density or number of worlds.
void check_ensemble(const EnsembleSpec& spec);

}  // namespace moorea
