// SPDX-License-Identifier: MIT
#include "jit/rule_code.h"

#include <cstddef>
#include <utility>

#include "devices/traits.h"
#include "model/process_cache.h"

namespace moorea {

namespace {

constexpr std::size_t max_codes = 512;  // some kilobytes each

kernels::Binding binding_of(const kernels::Kernel& kernel, kernels::RuleMask rule) {
  if (kernel.file == nullptr) return kernel.bind(rule, machine_traits());
  kernels::Binding binding = kernel.file->binding;
  const kernels::RuleMask* only = kernel.file->rule;
  if (only != nullptr && (only->birth != rule.birth || only->survival != rule.survival))
    binding.refusal = kernel.file->other_rules;
  return binding;
}

}  // namespace

kernels::PairSteps BoundKernel::pair_steps() const {
  if (!code) return {};
  return {reinterpret_cast<kernels::StepPairs>(const_cast<void*>(code->rightwards())),
          reinterpret_cast<kernels::StepPairs>(const_cast<void*>(code->leftwards()))};
}

kernels::StepWindow BoundKernel::step_window() const {
  if (!code) return nullptr;
  return reinterpret_cast<kernels::StepWindow>(const_cast<void*>(code->window()));
}

const RuleCode::Made& RuleCode::for_unit(VectorUnit unit) {
  static ProcessCache<std::pair<Rule, VectorUnit>, MachineCode> known(max_codes);
  const auto [at, is_new] = made_.try_emplace(unit);
  Made& made = at->second;
  if (!is_new) return made;
  const Rule rule(rule_.birth, rule_.survival);
  // A failure is not kept, because it may be temporary
  made.code = known.find_or_make({rule, unit}, [&] { return MachineCode::make(rule, unit, &made.reason); });
  return made;
}

BoundKernel bind_kernel(const kernels::Kernel& kernel, RuleCode& rule) {
  BoundKernel bound{&kernel, binding_of(kernel, rule.rule()), nullptr, nullptr};
  kernels::Binding& binding = bound.binding;
  if (binding.refusal != nullptr || (binding.code_sweep == nullptr && binding.code_tile_step == nullptr))
    return bound;
  if (kernel.lanes == 64) {
    bound.code_unavailable_reason = "machine code is generated for AVX2 and AVX-512 only";
    return bound;
  }
  const RuleCode::Made& made = rule.for_unit(kernel.lanes == 512 ? VectorUnit::avx512 : VectorUnit::avx2);
  bound.code = made.code;
  bound.code_unavailable_reason = made.reason;
  if (bound.code) {
    if (binding.code_sweep != nullptr) binding.sweep = binding.code_sweep;
    if (binding.code_tile_step != nullptr) binding.tile_step = binding.code_tile_step;
  }
  return bound;
}

}  // namespace moorea
