// SPDX-License-Identifier: MIT
// The machine as kernels see it.
#pragma once

#include <string>

#include "kernels/kernel.h"

namespace moorea {

/// Instruction sets of this machine that its operating system supports, and the reasons for missing backends.
kernels::DeviceTraits machine_traits();

/// Name of the CPU in /proc/cpuinfo, or "unknown CPU".
std::string cpu_name();

}  // namespace moorea
