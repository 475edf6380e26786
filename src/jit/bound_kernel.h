// SPDX-License-Identifier: MIT
// A kernel bound to a rule: the one place that decides whether a kernel can run.
#pragma once

#include <memory>

#include "jit/rule_code.h"
#include "kernels/kernel.h"
#include "moorea/topology.h"

namespace moorea {

/// Binding of a kernel, with machine code if the kernel can use it and it is available.
struct BoundKernel {
  const kernels::Kernel* kernel = nullptr;
  kernels::Binding binding;
  std::shared_ptr<const MachineCode> code;        ///< null: the kernel's own functions are used
  const char* code_unavailable_reason = nullptr;  ///< if the kernel could use machine code

  /// Why the kernel cannot run, or null.
  const char* refusal() const;

  kernels::PairSteps pair_steps() const;
  kernels::StepWindow step_window() const;
  kernels::StepPlanes step_planes() const;
  kernels::StepBlocks step_blocks() const;
};

kernels::RuleFamily family_of(const Rule& rule);

/// Binds a kernel to a rule on this machine. The result is a refusal, and the kernel's bind() is not called,
/// if the kernel does not support the rule or the topology, or if the machine lacks what the kernel needs.
BoundKernel bind_kernel(const kernels::Kernel& kernel, Topology topology, RuleCode& code);

}  // namespace moorea
