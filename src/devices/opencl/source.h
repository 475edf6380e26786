// SPDX-License-Identifier: MIT
// Text for an OpenCL compiler.
#pragma once

#include <string>
#include <string_view>

#include "kernels/kernel.h"

namespace moorea::opencl {

/// A kernel's, behind what opencl/opencl.h says.
std::string kernel_text(const kernels::OpenClSource& source, const kernels::Kernel& kernel,
                        kernels::RuleMask rule, kernels::BlockShape group,
                        const kernels::OpenClTraits& device);

/// A compiler's messages on `text`, which ends with the user's file `path` from its "#line 1" on. NVIDIA's
/// compiler counts the lines of all that it gets, "<kernel>:194:33: error"; the file's name and line stand
/// there instead.
std::string with_lines_of_file(std::string_view messages, std::string_view text, std::string_view path);

/// cells.cl.
std::string cells_text();

}  // namespace moorea::opencl
