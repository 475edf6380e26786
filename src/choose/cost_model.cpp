// SPDX-License-Identifier: MIT
#include "choose/cost_model.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "choose/backend.h"

namespace moorea {
namespace {

// The CPU finishes smaller worlds before a GPU has started.
constexpr double min_cells_for_gpu = 1 << 24;

// Three digits, without an exponent.
std::string factor_text(double factor) {
  return factor < 1000 ? fmt::format("{:.3g}", factor) : fmt::format("{:.0f}", factor);
}

// The reason for which `taken` is preferred to a plan.
std::string verdict_of(const PlanCost& plan, const PlanCost& taken) {
  if (!plan.seconds || !taken.seconds) return "not preferred";
  const double factor = *plan.seconds / *taken.seconds;
  const std::string percent = fmt::format("{:.0f} %", 100 * std::abs(1 / factor - 1));
  if (percent == "0 %") return "takes as long";
  if (factor < 1 && plan.can_be_taken)
    return percent + " faster, too little to leave Moorea's own choice for";
  if (factor < 1)
    return percent +
           " faster while all is busy, but it does not skip inactive cells: name it if that does not matter";
  return factor_text(factor) + (plan.start_seconds > 0.5 * *plan.seconds
                                    ? " times as long, most of it until the device is ready"
                                    : " times as long");
}

}  // namespace

std::vector<PlanCost> BuiltInPreferences::costs(const WorldSpec& world, std::uint64_t) const {
  PlanCost cpu;
  cpu.options.device = "cpu";
  cpu.name = "auto on cpu";
  cpu.cost = 1;
  std::vector<PlanCost> plans = {cpu};
  // (not all GPUs have kernels for other rules)
  if (world.box().area() >= min_cells_for_gpu && world.rule.has_nine_cells()) {
    PlanCost gpu;
    gpu.options.device = "cuda";
    gpu.name = "auto on cuda";
    plans.push_back(gpu);
  }
  return plans;
}

bool BuiltInPreferences::is_there(const PlanCost& plan) const {
  const std::optional<Backend> backend = backend_of_device(plan.options.device);
  return backend && driver_of(*backend).unavailable() == nullptr;
}

std::vector<Estimate> compare(std::vector<PlanCost> plans, const CostModel& model) {
  std::stable_sort(plans.begin(), plans.end(),
                   [](const PlanCost& a, const PlanCost& b) { return a.cost < b.cost; });
  std::stable_partition(plans.begin(), plans.end(), [](const PlanCost& each) { return each.can_be_taken; });
  const PlanCost* taken = nullptr;
  std::vector<Estimate> estimates;
  for (const PlanCost& plan : plans) {
    Estimate estimate{plan.options, plan.name, plan.start_seconds, plan.seconds.value_or(0), false, ""};
    if (taken == nullptr && plan.can_be_taken) {
      estimate.taken = model.is_there(plan);
      estimate.verdict = estimate.taken ? "taken" : "its device is not there now, or is another one";
      if (estimate.taken) taken = &plan;
    }
    estimates.push_back(std::move(estimate));
  }
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (estimates[i].verdict.empty())
      estimates[i].verdict = verdict_of(plans[i], taken != nullptr ? *taken : plans.front());
  }
  return estimates;
}

}  // namespace moorea
