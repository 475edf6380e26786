// SPDX-License-Identifier: MIT
#include "choose/device_groups.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "choose/part_speeds.h"
#include "choose/parts.h"
#include "choose/plan.h"
#include "moorea/device_list.h"
#include "moorea/error.h"
#include "moorea/inventory.h"

namespace moorea {
namespace {

constexpr double min_speedup = 1.02;
constexpr std::int64_t part_rows = 4096;  // of a part as a device may get one, an even number

bool is_gpu_of(const DeviceInfo& device, Backend backend) {
  return backend_of_device(device.name) == backend && !device.uses_cpus;
}

std::vector<std::string> gpus(const std::vector<DeviceInfo>& devices, Backend backend) {
  std::vector<std::string> names;
  for (const DeviceInfo& device : devices)
    if (is_gpu_of(device, backend)) names.push_back(device.name);
  return names;
}

std::string list_of(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ",") + name;
  return list;
}

// The CPU and the GPUs; each GPU once, although CUDA and OpenCL may both know it.
std::vector<std::string> cpu_and_gpus() {
  const std::vector<DeviceInfo> devices = list_devices();
  std::vector<std::string> names = gpus(devices, Backend::cuda);
  if (names.empty()) names = gpus(devices, Backend::opencl);
  names.insert(names.begin(), "cpu");
  return names;
}

// Every "cuda:all" of a list replaced; without a GPU it becomes "cuda", which is refused with the reason.
std::string with_all_gpus(const std::string& list) {
  constexpr std::string_view all = "cuda:all";
  std::string result = list;
  for (std::size_t at = result.find(all); at != std::string::npos; at = result.find(all, at)) {
    const std::string names = list_of(gpus(list_devices(), Backend::cuda));
    result.replace(at, all.size(), names.empty() ? "cuda" : names);
  }
  return result;
}

// Those of the devices whose default kernels run a world's rule and have boards of its width. All of them if
// kernels are named, as a kernel that does not run is an error then.
std::vector<std::string> devices_that_have(const WorldSpec& world, const Options& options,
                                           const std::vector<std::string>& names) {
  if (!options.kernel.empty()) return names;
  std::vector<std::string> able;
  for (const std::string& name : names) {
    Options own = options;
    own.device = name;
    try {
      const Choice choice = choose(world, own);
      WorldSpec part = world;
      part.height = std::min(world.height, part_rows);
      require_board(part, choice);
      able.push_back(name);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::unavailable || (name == names.back() && able.empty())) throw;
    }
  }
  return able;
}

DeviceGroup fastest_of_all(const WorldSpec& world, const Options& options) {
  Options each = options;
  each.device = list_of(cpu_and_gpus());
  if (!is_device_list(each.device)) return {each.device, "all: this machine has no other device"};
  if (world.width == 0 || world.is_surface()) {
    each.device = "auto";
    const char* const what =
        world.width == 0 ? "a plane that grows has no size to divide" : "a surface cannot be divided";
    const std::string device = with_preferred_device(world, each).device;
    return {device == "auto" ? "cpu" : device, fmt::format("all: {}", what)};
  }
  const std::vector<std::string> able = devices_that_have(world, options, cpu_and_gpus());
  if (able.size() == 1) return {able.front(), "all: no other device has such a world"};
  each.device = list_of(able);
  const Choice choice = choose_parts(world, each);
  std::vector<PartSpeed> speeds;
  for (const Choice& part : choice.parts) speeds.push_back(tried_speed(world, part));
  const FastestParts fastest = fastest_parts(world.height, speeds, RowUnits::of(world.rule));
  std::vector<std::string> names;
  for (const std::size_t i : fastest.parts) names.push_back(choice.parts[i].device.str());
  return {list_of(names),
          names.size() > 1 ? fmt::format("all: together predicted to be {:.2f} times as fast as the fastest "
                                         "device alone",
                                         fastest.gain)
                           : fmt::format("all: with other devices predicted to be {:.2f} times as fast as "
                                         "alone",
                                         fastest.gain)};
}

}  // namespace

FastestParts fastest_parts(std::int64_t height, std::span<const PartSpeed> speeds, const RowUnits& units) {
  std::vector<std::size_t> order(speeds.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto whole = static_cast<double>(height);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return speeds[i].seconds_per_generation(whole); });
  const double alone = speeds[order[0]].seconds_per_generation(whole);
  FastestParts best{{order[0]}, 0};
  std::vector<PartSpeed> together{speeds[order[0]]};
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (height < static_cast<std::int64_t>(i + 1) * units.halo_for(1)) break;
    together.push_back(speeds[order[i]]);
    const double gain = alone / balance_rows(height, together, units).seconds;
    if (gain <= best.gain) continue;
    best.gain = gain;
    if (gain >= min_speedup)
      best.parts.assign(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
  std::ranges::sort(best.parts);
  return best;
}

DeviceGroup devices_for(const WorldSpec& world, const Options& options) {
  if (options.device != "all") return {with_all_gpus(options.device), ""};
  if (!options.shares.empty())
    throw Error("shares of all devices: name the devices, as in cpu,cuda:0", ErrorKind::usage);
  if (options.out_of_core)
    throw Error("a world that is out of core has one device: name one instead of all", ErrorKind::usage);
  return fastest_of_all(world, options);
}

}  // namespace moorea
