// SPDX-License-Identifier: MIT
// The base case of trees for a rule, from the kernels of tiles.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "moorea/rule.h"
#include "trees/base_steps.h"
#include "trees/tree_world.h"

namespace moorea {

/// Name of HashLife where a kernel is named.
constexpr std::string_view tree_kernel = "hashlife";

/// Names of the kernels whose windows run here, the fastest first.
std::vector<std::string> window_kernels();

/// Alternating generations of two rules by the kernel of this name. Throws Error (unavailable) if it cannot
/// run.
BaseSteps base_steps(const Rule& even, const Rule& odd, const std::string& kernel);

/// base_steps() by this kernel.
MakeBase base_steps_by(const std::string& kernel);

/// Options of an engine of so many threads with a limit of memory; 0 is a part of the memory that is
/// available.
EngineOptions engine_options(std::uint64_t max_bytes, int threads = 1);

}  // namespace moorea
