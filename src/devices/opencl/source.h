// SPDX-License-Identifier: MIT
// Text for an OpenCL compiler.
#pragma once

#include <string>

#include "kernels/kernel.h"

namespace moorea::opencl {

/// A kernel's, behind what step_opencl.h says.
std::string kernel_text(const kernels::OpenClSource& source, const kernels::Kernel& kernel,
                        kernels::RuleMask rule, kernels::BlockShape group,
                        const kernels::OpenClTraits& device);

/// cells.cl.
std::string cells_text();

}  // namespace moorea::opencl
