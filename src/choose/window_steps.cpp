// SPDX-License-Identifier: MIT
#include "choose/window_steps.h"

#include <fmt/core.h>

#include "choose/kernel_table.h"
#include "devices/traits.h"
#include "jit/bound_kernel.h"
#include "jit/rule_code.h"
#include "logic/rule_mask.h"
#include "model/memory.h"
#include "moorea/error.h"

namespace moorea {
namespace {

// Part of the available memory that nodes may use if no limit is given; a collection needs some beside them.
constexpr double default_share = 0.75;

// Below this limit the rounding to huge pages would matter.
constexpr std::size_t min_huge_limit = std::size_t{256} << 20;

// Nodes that several threads evaluate together: each thread needs some thousand look-ups.
constexpr std::size_t shared_batch = 4096;

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

MakeBase base_steps_by(const std::string& kernel) {
  return [kernel](const Rule& even, const Rule& odd) { return base_steps(even, odd, kernel); };
}

EngineOptions engine_options(std::uint64_t max_bytes, int threads) {
  EngineOptions options;
  options.memory = max_bytes != 0
                       ? max_bytes
                       : static_cast<std::size_t>(default_share * static_cast<double>(available_memory()));
  options.huge_pages = options.memory >= min_huge_limit;
  options.threads = threads;
  if (threads > 1 && options.huge_pages) options.batch = shared_batch;
  return options;
}

}  // namespace moorea
