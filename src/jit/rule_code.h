// SPDX-License-Identifier: MIT
// Machine code for rules without a compiled network in a CPU kernel.
#pragma once

#include <map>
#include <memory>

#include "kernels/kernel.h"
#include "logic/emit_x86.h"

namespace moorea {

/// Binding of a kernel, with machine code if the kernel can use it and it is available.
struct BoundKernel {
  const kernels::Kernel* kernel = nullptr;
  kernels::Binding binding;
  std::shared_ptr<const MachineCode> code;        ///< null: the kernel's own functions are used
  const char* code_unavailable_reason = nullptr;  ///< why there is none, if the kernel could use it

  kernels::PairSteps pair_steps() const;
  kernels::StepWindow step_window() const;
};

/// Machine code of a rule for each vector unit, generated at first use and kept for the process.
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

/// Binds a kernel to a rule on this CPU. A binding with a refusal is returned unchanged.
BoundKernel bind_kernel(const kernels::Kernel& kernel, RuleCode& rule);

}  // namespace moorea
