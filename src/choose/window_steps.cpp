// SPDX-License-Identifier: MIT
#include "choose/window_steps.h"

#include <fmt/core.h>

#include "choose/kernel_table.h"
#include "devices/traits.h"
#include "jit/bound_kernel.h"
#include "jit/rule_code.h"
#include "logic/rule_mask.h"
#include "moorea/error.h"

namespace moorea {
namespace {

WindowStep window_step(const Rule& rule, const kernels::TableEntry& entry) {
  RuleCode code(rule);
  const BoundKernel bound = bind_kernel(*entry.kernel, Topology::plane, code);
  if (const char* reason = bound.refusal())
    throw Error(fmt::format("kernel {} cannot run here: {}", entry.name, reason), ErrorKind::unavailable);
  const kernels::StepWindow generated = bound.step_window();
  const auto& binding = std::get<kernels::TileBinding>(bound.binding);
  return {generated != nullptr ? generated : binding.window, mask_of(rule),
          std::get<kernels::TileContract>(entry.kernel->contract).lanes, bound.code};
}

}  // namespace

std::vector<std::string> window_kernels() {
  std::vector<std::string> names;
  for (const char* name : {"cpu/tiles_avx512", "cpu/tiles_avx2", "cpu/tiles"}) {
    const kernels::TableEntry* const entry = find_kernel(name);
    if (entry != nullptr && unavailable_reason(*entry->kernel) == nullptr) names.emplace_back(name);
  }
  return names;
}

BaseSteps base_steps(const Rule& even, const Rule& odd, const std::string& kernel) {
  const kernels::TableEntry& entry = named_kernel(kernel);
  return {window_step(even, entry), window_step(odd, entry)};
}

}  // namespace moorea
