// SPDX-License-Identifier: MIT
// Kernels from the user's own files, which are compiled when the program runs: C++ by the system's compiler,
// CUDA by NVRTC and OpenCL by the device's driver. docs/your-own-kernel.md says what such a file holds.
#pragma once

#include <string>
#include <string_view>

#include "kernels/kernel.h"
#include "moorea/device.h"

namespace moorea {

/// Whether a kernel's name is the path of such a file: it ends in .cpp, .cu or .cl.
bool is_kernel_file(std::string_view name);

/// Reads the file, once in the life of the process; C++ is compiled here, the others when a board needs them.
/// The entry's name is the path. Throws Error (run) with path and line, or with the compiler's words.
const kernels::TableEntry& kernel_from_file(const std::string& path);

/// Tells one text of the file from another; headers that it includes are not looked at.
std::uint64_t fingerprint_of_file(const std::string& path);

/// What the compiler said of C++ that it accepted; empty if it was compiled by another process.
const std::string& warnings_of_file(const std::string& path);

}  // namespace moorea
