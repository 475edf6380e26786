// SPDX-License-Identifier: MIT
#include "choose/parts.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "boards/split_board.h"
#include "choose/backend.h"
#include "choose/kernel_table.h"
#include "choose/part_speeds.h"
#include "devices/cpu/threads.h"
#include "moorea/device_list.h"
#include "moorea/error.h"

namespace moorea {
namespace {

// Both halos are 1.6 % of a large part's work, also on GPUs, which compute half of their rows on average;
// more under rules whose cells reach farther
constexpr std::int64_t rows_a_halo_row = 128, rows_a_halo_row_of_gpus = 64;
constexpr std::int64_t max_turn = 128;  // generations between two exchanges
// Fewer generations between two exchanges show no quiet kernel what is active, nor a part that it repeats
constexpr std::int64_t quiet_turn = 12;
constexpr std::int64_t rows_for_whole_passes = 16;  // for each generation of a pass or a quiet turn
constexpr double min_cells_for_trial = 1 << 22;
constexpr int cores_for_drivers = 4;  // from so many on, a thread less computes for each other device

// Names between commas, without spaces around them.
std::vector<std::string> split_kernels(std::string_view list) {
  std::vector<std::string> names;
  while (true) {
    const std::size_t end = std::min(list.find(','), list.size());
    std::string_view name = list.substr(0, end);
    while (name.starts_with(' ')) name.remove_prefix(1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    names.emplace_back(name);
    if (end == list.size()) return names;
    list.remove_prefix(end + 1);
  }
}

// The names of a list of devices. A text that can only be the rest of an OpenCL device's name is refused.
std::vector<std::string> devices_of(std::string_view list) {
  std::vector<std::string> names = split_devices(list);
  for (std::size_t i = 1; i < names.size(); ++i) {
    if (!names[i - 1].starts_with("opencl:") || backend_of_device(names[i]) || names[i] == "auto") continue;
    throw Error(
        fmt::format("device \"{}\" is not available; the name of an OpenCL device that has a comma or a "
                    "plus sign is written as in opencl:\"A, B\"",
                    names[i]),
        ErrorKind::unavailable);
  }
  return names;
}

// Of the kernels that are named, the first one of a device's backend; empty if none is named.
std::string kernel_for(const std::string& device, const std::string& kernels) {
  if (kernels.empty()) return "";
  const std::optional<Backend> backend = backend_of_device(device);
  for (const std::string& name : split_kernels(kernels)) {
    const KernelPair pair = KernelPair::parse(name);
    if (backend_of(*named_kernel(pair.busy).kernel) == backend) return name;
  }
  throw Error(fmt::format("no kernel of \"{}\" runs on device {}: name one for each backend, as in "
                          "cpu/strided,cuda/strided",
                          kernels, device),
              ErrorKind::usage);
}

// Threads of each part on the CPU; the first ones get those that are left over. Unless a number of threads is
// asked for, each other device leaves one to its driver.
std::vector<int> divide_threads(const std::vector<std::string>& devices, int asked) {
  const auto is_cpu = [](const std::string& name) { return backend_of_device(name) == Backend::cpu; };
  const int parts = static_cast<int>(std::ranges::count_if(devices, is_cpu));
  int threads = asked != 0 ? asked : usable_threads();
  if (asked == 0 && threads >= cores_for_drivers)
    threads = std::max(1, threads - (static_cast<int>(devices.size()) - parts));
  std::vector<int> result;
  int part = 0;
  for (const std::string& device : devices) {
    const int own = parts == 0 ? threads : threads / parts + (part < threads % parts);
    result.push_back(is_cpu(device) ? std::max(own, 1) : threads);
    part += is_cpu(device);
  }
  return result;
}

// Threads that run kernels on one OpenCL device at the same time make PoCL 3.1 fail in an assertion.
void require_single_opencl_parts(const std::vector<Choice>& parts) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (parts[i].device.backend == Backend::opencl && parts[i].device == parts[j].device) {
        throw Error(fmt::format("device {} is listed twice: an OpenCL device has one part of a world",
                                parts[i].device.str()),
                    ErrorKind::usage);
      }
    }
  }
}

// Rows that neighbours exchange: the more, the more seldom they do, and the more of them are computed twice.
// Passes of fewer generations than a kernel can have are slower, too.
std::int64_t halo_for(const Choice& choice, const std::vector<std::int64_t>& rows, const RowUnits& units) {
  std::int64_t steps = 1;
  for (const Choice& part : choice.parts)
    steps = std::max<std::int64_t>(steps, part.entry->kernel->max_steps);
  const std::int64_t generations_in_rows = std::ranges::min(rows) / units.reach;
  const bool has_quiet_turns = units.reach == 1 && generations_in_rows >= quiet_turn * rows_for_whole_passes;
  const bool are_gpus = std::ranges::all_of(
      choice.parts, [](const Choice& part) { return part.device.backend == Backend::cuda; });
  const std::int64_t wanted =
      std::min(generations_in_rows,
               std::clamp(generations_in_rows / (are_gpus ? rows_a_halo_row_of_gpus : rows_a_halo_row),
                          has_quiet_turns ? quiet_turn : units.min_turn(), max_turn));
  if (wanted >= steps) return units.halo_for(wanted / steps * steps);
  return units.halo_for(steps * rows_for_whole_passes <= generations_in_rows ? steps : wanted);
}

Division division_of(const WorldSpec& world, const Choice& choice) {
  const RowUnits units = RowUnits::of(world.rule);
  if (!choice.speeds.empty()) return balance_rows(world.height, choice.speeds, units);
  const std::vector<double> equal(choice.parts.size(), 1.0);
  Division division;
  division.rows = divide_rows(world.height, choice.shares.empty() ? equal : choice.shares, units);
  division.halo = halo_for(choice, division.rows, units);
  division.units = units;
  return division;
}

// What a device is, apart from its number: two GPUs of one kind have equal texts.
std::string description_of(const Choice& part) {
  const std::string name = part.device.str();
  for (const DeviceInfo& device : driver_of(part.device.backend).devices())
    if (device.name == name) return device.description;
  return name;
}

// Trials of equal devices would differ by noise.
bool are_alike(const std::vector<Choice>& parts) {
  const std::string first = description_of(parts[0]);
  return std::ranges::all_of(parts, [&](const Choice& part) {
    return part.device.backend == parts[0].device.backend &&
           part.kernels().str() == parts[0].kernels().str() && part.threads == parts[0].threads &&
           description_of(part) == first;
  });
}

// Of parts that differ, unless the world is small: then equal rows are a good begin. A device that computes
// with all of its default options has the speed that moorea tune measured.
std::vector<PartSpeed> speeds_of(const WorldSpec& world, const Options& options,
                                 const std::vector<Choice>& parts) {
  std::vector<PartSpeed> speeds;
  if (world.box().area() < min_cells_for_trial || are_alike(parts)) return speeds;
  for (const Choice& part : parts) {
    const bool all_threads = part.device.backend != Backend::cpu || part.threads == usable_threads();
    std::optional<PartSpeed> tuned;
    if (options.use_tuning && options.kernel.empty() && all_threads)
      tuned = tuned_speed(world, part.device.str());
    speeds.push_back(tuned ? *tuned : tried_speed(world, part));
    speeds.back().steps = part.entry->kernel->max_steps;
  }
  return speeds;
}

}  // namespace

Choice choose_parts(const WorldSpec& world, const Options& options) {
  if (world.is_surface())
    throw Error("a surface cannot be divided among devices: choose one", ErrorKind::unavailable);
  const std::vector<std::string> devices = devices_of(options.device);
  if (!options.shares.empty() && options.shares.size() != devices.size()) {
    throw Error(
        fmt::format("{} shares for {} devices: expected one for each", options.shares.size(), devices.size()),
        ErrorKind::usage);
  }
  for (const double share : options.shares) {
    if (!(share > 0 && share <= 1e9))
      throw Error(fmt::format("share {}: expected a number above 0", share), ErrorKind::usage);
  }
  const std::vector<int> threads = divide_threads(devices, options.threads);
  std::vector<Choice> parts;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    Options own = options;
    own.device = devices[i];
    own.kernel = kernel_for(devices[i], options.kernel);
    own.threads = threads[i];
    own.shares.clear();
    parts.push_back(choose(world, own));
  }
  require_single_opencl_parts(parts);
  Choice choice = parts.front();
  choice.may_be_tree = false;  // the devices that were named compute it
  choice.threads = 0;
  for (const Choice& part : parts)
    if (part.device.backend == Backend::cpu) choice.threads += part.threads;
  choice.threads = std::max(choice.threads, 1);
  choice.shares = options.shares;
  if (options.shares.empty()) choice.speeds = speeds_of(world, options, parts);
  choice.parts = std::move(parts);
  return choice;
}

PartPlans divide(const WorldSpec& world, const Choice& choice) {
  PartPlans plans{division_of(world, choice), {}};
  const std::vector<std::int64_t>& rows = plans.division.rows;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    WorldSpec with_halo = world;
    const bool above = world.is_torus() || i > 0, below = world.is_torus() || i + 1 < rows.size();
    with_halo.height = rows[i] + plans.division.halo * (above + below);
    plans.parts.push_back({&choice.parts[i], rows[i], with_halo});
  }
  return plans;
}

std::unique_ptr<Board> make_split_board(const WorldSpec& world, const Choice& choice) {
  std::vector<SplitPart> parts;
  const PartPlans plans = divide(world, choice);
  for (const PartPlan& part : plans.parts) {
    parts.push_back(
        {part.rows, [own = *part.choice](const WorldSpec& band) { return make_board(band, own); }});
  }
  auto board = std::make_unique<SplitBoard>(world, plans.division.halo, parts);
  if (choice.shares.empty()) board->let_rows_move(choice.speeds);
  return board;
}

}  // namespace moorea
