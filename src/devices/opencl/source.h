// SPDX-License-Identifier: MIT
// Source text for an OpenCL compiler.
#pragma once

#include <string>
#include <string_view>

#include "kernels/kernel.h"
#include "moorea/rule.h"

namespace moorea::opencl {

/// Returns a kernel's text, preceded by the definitions described in opencl/opencl.h.
std::string kernel_text(const kernels::OpenClBinding& binding, const kernels::Kernel& kernel,
                        const Rule& rule, kernels::BlockShape group, const kernels::OpenClTraits& device);

/// Rewrites a compiler's messages on `text`, which ends with the user's file `path` from its "#line 1" on.
/// NVIDIA's compiler counts the lines of the whole text, "<kernel>:194:33: error"; these are replaced by the
/// file's name and line.
std::string with_lines_of_file(std::string_view messages, std::string_view text, std::string_view path);

/// Returns the text of cells.cl.
std::string cells_text();

}  // namespace moorea::opencl
