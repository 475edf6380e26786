// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>

#include "choose/backend.h"
#include "choose/cost_model.h"
#include "model/process_cache.h"
#include "moorea/error.h"
#include "moorea/inventory.h"

namespace moorea {
namespace {

// Minimum gain over a device's default kernels, as a fraction of their time.
constexpr double min_gain = 0.05;

using Times = std::map<double, double>;  // seconds per generation by number of cells

// Interpolates between two sizes as a power of the number of cells; beyond the measured sizes in proportion
// to it.
double seconds_for(const Times& measured, double cells) {
  const auto above = measured.lower_bound(cells);
  if (above == measured.end()) return measured.rbegin()->second * cells / measured.rbegin()->first;
  if (above == measured.begin()) return above->second * std::min(1.0, cells / above->first);
  const auto below = std::prev(above);
  const double part = std::log(cells / below->first) / std::log(above->first / below->first);
  return below->second * std::pow(above->second / below->second, part);
}

// The plan's times for the rule, or for the measured rule whose logic costs nearly as much.
const Times& times_for(const TunedPlan& plan, const Rule& rule, const std::map<std::string, double>& gates) {
  if (const auto found = plan.seconds.find(rule.str()); found != plan.seconds.end()) return found->second;
  if (plan.seconds.size() == 1) return plan.seconds.begin()->second;
  const double wanted = gates_per_word(rule);
  const auto distance = [&](const auto& measured) { return std::abs(gates.at(measured.first) - wanted); };
  return std::min_element(plan.seconds.begin(), plan.seconds.end(),
                          [&](const auto& x, const auto& y) { return distance(x) < distance(y); })
      ->second;
}

// Devices of a backend; none if its driver fails. Listed once, because names and descriptions do not change.
std::shared_ptr<const std::vector<DeviceInfo>> devices_of(Backend backend) {
  static ProcessCache<Backend, std::vector<DeviceInfo>> known(3);
  return known.find_or_make(backend, [&] {
    try {
      return std::make_shared<const std::vector<DeviceInfo>>(driver_of(backend).devices());
    } catch (const Error&) {
      return std::make_shared<const std::vector<DeviceInfo>>();
    }
  });
}

class AllDevices final : public CostModel {
 public:
  std::vector<PlanCost> costs(const WorldSpec&, std::uint64_t) const override { return {}; }
  bool is_there(const PlanCost&) const override { return true; }
};

}  // namespace

bool MeasuredCosts::can_be_taken(const TunedPlan& plan) const {
  if (plan.is_default()) return true;
  const auto device = tuning_.devices.find(plan.options.device);
  return device != tuning_.devices.end() && device->second.quiet.has_value();
}

// The measured options, with the kernel for quiet worlds.
Options MeasuredCosts::options_for(const TunedPlan& plan) const {
  Options options = plan.options;
  const auto device = tuning_.devices.find(options.device);
  if (!plan.is_default() && device != tuning_.devices.end() && !device->second.quiet.value_or("").empty())
    options.kernel += " + " + *device->second.quiet;
  return options;
}

std::vector<PlanCost> MeasuredCosts::costs(const WorldSpec& world, std::uint64_t generations) const {
  std::vector<PlanCost> plans;
  for (const TunedPlan& each : tuning_.plans) {
    const auto device = tuning_.devices.find(each.options.device);
    PlanCost plan;
    plan.options = options_for(each);
    plan.name = each.name;
    plan.start_seconds = device == tuning_.devices.end() ? 0 : device->second.start_seconds;
    plan.seconds = plan.start_seconds +
                   static_cast<double>(generations) *
                       seconds_for(times_for(each, world.rule, tuning_.gates_per_word), world.box().area());
    plan.cost = each.is_default() ? *plan.seconds * (1 - min_gain) : *plan.seconds;
    plan.can_be_taken = can_be_taken(each);
    plans.push_back(std::move(plan));
  }
  return plans;
}

// The CPU is; of another device, it is the one that was measured.
bool MeasuredCosts::is_there(const PlanCost& plan) const {
  const std::string& name = plan.options.device;
  const std::optional<Backend> backend = backend_of_device(name);
  if (backend == Backend::cpu) return true;
  const auto measured = tuning_.devices.find(name);
  if (!backend || measured == tuning_.devices.end()) return false;
  const auto now = devices_of(*backend);
  return std::any_of(now->begin(), now->end(), [&](const DeviceInfo& each) {
    return each.name == name && each.description == measured->second.description;
  });
}

std::vector<Estimate> estimate_runs(const Tuning& tuning, const WorldSpec& world, std::uint64_t generations) {
  return compare(MeasuredCosts(tuning).costs(world, generations), AllDevices());
}

}  // namespace moorea
