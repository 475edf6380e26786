// SPDX-License-Identifier: MIT
#include "devices/code.h"

#include "devices/cpu.h"

namespace moorea {

kernels::PairSteps BoundKernel::pair_steps() const {
  if (!code) return {};
  return {reinterpret_cast<kernels::StepPairs>(const_cast<void*>(code->rightwards())),
          reinterpret_cast<kernels::StepPairs>(const_cast<void*>(code->leftwards()))};
}

kernels::StepWindow BoundKernel::step_window() const {
  if (!code) return nullptr;
  return reinterpret_cast<kernels::StepWindow>(const_cast<void*>(code->window()));
}

BoundKernel bind_kernel(const kernels::Kernel& kernel, kernels::RuleMask rule) {
  BoundKernel bound{&kernel, kernel.bind(rule, cpu_traits()), nullptr, nullptr};
  kernels::Binding& binding = bound.binding;
  if (binding.refusal != nullptr || (binding.code_sweep == nullptr && binding.code_tile_step == nullptr))
    return bound;
  if (kernel.lanes == 64) {
    bound.no_code = "it is made for AVX2 and AVX-512 only";
    return bound;
  }
  const VectorUnit unit = kernel.lanes == 512 ? VectorUnit::avx512 : VectorUnit::avx2;
  bound.code = MachineCode::make(Rule(rule.birth, rule.survival), unit, &bound.no_code);
  if (bound.code) {
    if (binding.code_sweep != nullptr) binding.sweep = binding.code_sweep;
    if (binding.code_tile_step != nullptr) binding.tile_step = binding.code_tile_step;
  }
  return bound;
}

}  // namespace moorea
