// SPDX-License-Identifier: MIT
// Machine code for rules that a CPU kernel has no network for.
#pragma once

#include <map>
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

/// A rule's machine code for each vector unit, made when a kernel first asks for it and kept for the process.
class RuleCode {
 public:
  explicit RuleCode(kernels::RuleMask rule) : rule_(rule) {}

  struct Made {
    std::shared_ptr<const MachineCode> code;
    const char* reason = nullptr;  ///< why there is none
  };
  const Made& for_unit(VectorUnit unit);
  kernels::RuleMask rule() const { return rule_; }

 private:
  kernels::RuleMask rule_;
  std::map<VectorUnit, Made> made_;
};

/// Binds a kernel to a rule on this CPU. A binding with a refusal stays as it is.
BoundKernel bind_kernel(const kernels::Kernel& kernel, RuleCode& rule);

}  // namespace moorea
