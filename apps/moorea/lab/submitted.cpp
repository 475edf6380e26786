// SPDX-License-Identifier: MIT
#include "lab/submitted.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "cli/ranges.h"
#include "moorea/inventory.h"
#include "moorea/plan.h"
#include "moorea/simulation.h"

namespace app {
namespace {

std::vector<std::string> submitted_devices() {
  std::vector<std::string> names;
  for (const moorea::DeviceInfo& device : moorea::list_devices())
    if (!device.name.starts_with("opencl")) names.push_back(device.name);
  return names;
}

std::string busy_kernel(const std::string& device, const moorea::Size& size) {
  moorea::Options options;
  options.device = device;
  const moorea::RunPlan plan =
      moorea::plan_run({{}, moorea::Topology::torus, size.width, size.height}, options);
  return moorea::KernelPair::parse(plan.kernel).busy;
}

// The named kernels of the device's backend.
std::vector<std::string> kernels_of(const std::string& device, const std::vector<std::string>& named) {
  std::vector<std::string> own;
  for (const std::string& name : named) {
    if (name == automatic || moorea::kernel_info(name, {}).backend == moorea::backend_of_device(device))
      own.push_back(name);
  }
  return own;
}

}  // namespace

Selection selection_to_submit() {
  Selection selection;
  selection.devices = submitted_devices();
  selection.sizes = {"1024", "4096", "16384"};
  selection.rules = {"Life", "Anneal"};
  return selection;
}

Combined combine_to_submit(const Selection& selection) {
  Combined all;
  for (const std::string& device : selection.devices) {
    for (const std::string& size : expand_sizes(selection.sizes, "--size")) {
      Selection one = selection;
      one.devices = {device};
      one.sizes = {size};
      one.kernels = selection.kernels.empty() ? std::vector{busy_kernel(device, parse_size(size))}
                                              : kernels_of(device, selection.kernels);
      if (one.kernels.empty()) continue;
      Combined combined = combine(one);
      std::ranges::move(combined.configurations, std::back_inserter(all.configurations));
      std::ranges::move(combined.notes, std::back_inserter(all.notes));
    }
  }
  // The reason why nothing can be measured
  return all.configurations.empty() ? combine(selection) : all;
}

}  // namespace app
