// SPDX-License-Identifier: MIT
// Kernels compiled at run time by NVRTC, which is opened at first use; the code is cached on disk.
#pragma once

#include <array>
#include <memory>

#include "devices/cuda/runtime.h"
#include "kernels/kernel.h"
#include "moorea/rule.h"

namespace moorea::cuda {

/// Functions of a RuntimeSource for one rule on one GPU; keeps their code loaded.
class CompiledKernels {
 public:
  virtual ~CompiledKernels() = default;
  virtual std::array<const void*, 2> functions() const = 0;
};

/// Compiles for the current device, or uses the code that an earlier run stored in the user's cache folder,
/// whose file name identifies source, architecture and version. Throws Error (run) with the compiler's
/// messages.
std::shared_ptr<const CompiledKernels> compile(const kernels::RuntimeSource& source, const Rule& rule);

}  // namespace moorea::cuda
