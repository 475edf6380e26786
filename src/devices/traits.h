// SPDX-License-Identifier: MIT
// The machine as kernels see it.
#pragma once

#include <string>

#include "kernels/kernel.h"

namespace moorea {

/// Instruction sets of this machine that its operating system supports.
kernels::InstructionSets machine_instruction_sets();

/// Why this machine cannot run the kernel, or null.
const char* unavailable_reason(const kernels::Kernel& kernel);

/// Why the code that a binding needs cannot be compiled at run time, or null.
const char* unavailable_reason(const kernels::CudaBinding& binding);

/// Name of the CPU in /proc/cpuinfo, or "unknown CPU".
std::string cpu_name();

}  // namespace moorea
