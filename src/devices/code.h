// SPDX-License-Identifier: MIT
// Machine code for rules that a CPU kernel has no network for.
#pragma once

#include <memory>

#include "kernels/kernel.h"
#include "logic/emit_x86.h"

namespace moorea {

/// What a kernel answered, with machine code where it asks for that and there is some.
struct BoundKernel {
  const kernels::Kernel* kernel = nullptr;
  kernels::Binding binding;
  std::shared_ptr<const MachineCode> code;  ///< null: the kernel's own functions run
  const char* no_code = nullptr;            ///< why there is none, where the kernel asks for some

  kernels::PairSteps pair_steps() const;
  kernels::StepWindow step_window() const;
};

/// Binds a kernel to a rule on this CPU. A binding with a refusal stays as it is.
BoundKernel bind_kernel(const kernels::Kernel& kernel, kernels::RuleMask rule);

}  // namespace moorea
