// SPDX-License-Identifier: MIT
// C++ compiled and loaded while the program runs.
#pragma once

#include <string>

namespace moorea {

/// Compiles a file by $CXX (else c++) for this CPU, with $CXXFLAGS behind our own options, and returns the
/// address of one of its extern "C" functions, which stays as long as the process. Throws Error (unavailable)
/// where there is no compiler, Error (run) with the compiler's words or the function's name.
void* compile_and_find(const std::string& path, const std::string& function);

/// The text of moorea/kernel.h, for compilers that cannot be told where it lies.
extern const char* const kernel_header;

}  // namespace moorea
