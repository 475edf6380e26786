// SPDX-License-Identifier: MIT
// Kernels compiled while the program runs, by NVRTC, which is opened when it is first wanted, and kept on
// disk.
#pragma once

#include <array>
#include <memory>

#include "devices/cuda/runtime.h"
#include "kernels/kernel.h"

namespace moorea::cuda {

/// The functions of a RuntimeSource for one rule on one GPU; what it holds they need.
class CompiledKernels {
 public:
  virtual ~CompiledKernels() = default;
  virtual std::array<const void*, 2> functions() const = 0;
};

/// Compiles for the current device, or takes what an earlier run left in the user's cache folder: the file's
/// name tells source, architecture and version. Throws Error (run) with the compiler's words.
std::shared_ptr<const CompiledKernels> compile(const kernels::RuntimeSource& source, kernels::RuleMask rule);

}  // namespace moorea::cuda
