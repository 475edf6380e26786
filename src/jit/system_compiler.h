// SPDX-License-Identifier: MIT
// Compiles and loads C++ at run time.
#pragma once

#include <string>

namespace moorea {

/// Compiles a file with $CXX (default c++) for this CPU, with $CXXFLAGS after Moorea's own options, and
/// returns the address of one of its extern "C" functions, which is valid as long as the process. Throws
/// Error (unavailable) if there is no compiler, Error (run) with the compiler's messages or the function's
/// name. If the variable MOOREA_COMPILED_KERNEL names a file, the compiled library is kept there and loaded
/// from there by later processes: moorea grade compiles once for all of its trials.
void* compile_and_find(const std::string& path, const std::string& function);

/// A kernel of a user's file.
struct CompiledKernel {
  void* advance;  ///< calls its function of this name: an exception ends the program with a line that says so
  std::string warnings;  ///< the compiler's; empty if a compiled library was loaded
};

/// As compile_and_find().
CompiledKernel compile_kernel(const std::string& path);

/// Text of moorea/kernel.h, for compilers that accept no include path.
extern const char* const kernel_header;

}  // namespace moorea
