// SPDX-License-Identifier: MIT
// The measurements of moorea tune, from which plan_run() predicts how long runs take.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "moorea/plan.h"
#include "moorea/rule.h"

#pragma GCC visibility push(default)
namespace moorea {

/// A device of a tuning file.
struct TunedDevice {
  std::string description;   ///< as in DeviceInfo; another one is another device
  double start_seconds = 0;  ///< until it is ready, beyond the start of the CPU
  /// The kernel that replaces any other one there while the world is quiet. An empty name: no kernel skips
  /// inactive cells there; no name: only the default kernels can alternate.
  std::optional<std::string> quiet;
};

/// Options by which worlds were run, and the times.
struct TunedPlan {
  Options options;
  std::string name;  ///< as Estimate::name
  /// By rule and number of cells: seconds per generation of a torus that is active everywhere.
  std::map<std::string, std::map<double, double>> seconds;

  /// Whether it has the default kernels of its device.
  bool is_default() const { return options.kernel.empty(); }
};

struct Tuning {
  std::string date;
  std::map<std::string, TunedDevice> devices;    ///< by name
  std::map<std::string, double> gates_per_word;  ///< of each measured rule
  std::vector<TunedPlan> plans;

  /// Adds a measurement: seconds per generation of a torus of `cells` cells.
  void add(const Options& options, const Rule& rule, double cells, double seconds);
};

/// Text of a tuning file for this machine and this version of the library: JSON.
std::string format_tuning(const Tuning& tuning);

/// The inverse of format_tuning(). Throws Error (run) for a text of another machine or version, and for
/// anything else.
Tuning parse_tuning(std::string_view text);

/// Predictions for a world of fixed size and at least one generation, as RunPlan::estimates, as if all
/// devices were there. A rule that was not measured gets the times of the measured one with the nearest
/// number of logic gates.
std::vector<Estimate> estimate_runs(const Tuning& tuning, const WorldSpec& world, std::uint64_t generations);

/// Path of the tuning file, in cache_folder(); empty if there is no such folder.
std::string tuning_file();

/// Removes a plan from the tuning file, because a run took much longer than predicted. If it is a device's
/// default, with which all others are compared, or the last one, the file is removed. Throws Error (run) if
/// it cannot be read or written.
void forget_plan(const std::string& name);

/// The part of Options that a plan names, as JSON: {"kernel": "auto", "device": "cpu", "threads": 0, ...}.
std::string format_options(const Options& options);

/// The inverse of format_options(); other keys are ignored. Throws Error (run) for anything else.
Options parse_options(std::string_view json);

}  // namespace moorea
#pragma GCC visibility pop
