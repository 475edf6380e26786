// SPDX-License-Identifier: MIT
// Kernels by name: those of the build's table and those of users' files.
#pragma once

#include <string>
#include <string_view>

#include "kernels/kernel.h"
#include "moorea/device.h"

namespace moorea {

/// Null if there is none of this name.
const kernels::TableEntry* find_kernel(std::string_view name);

/// Throws Error (usage) for an unknown name, with the nearest ones, and Error (unavailable) for a kernel of a
/// backend that this build has not.
const kernels::TableEntry& named_kernel(const std::string& name);

Backend backend_of(const kernels::Kernel& kernel);

/// Whether fewer generations per pass than max_steps can be chosen: not for kernels that keep a world on the
/// chip for many passes, nor for those that skip inactive regions, which count in whole passes.
bool passes_chosen(const kernels::TableEntry& entry);

}  // namespace moorea
