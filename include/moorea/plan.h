// SPDX-License-Identifier: MIT
// Moorea's choice of device and kernel for a world, and the reasons for it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "moorea/simulation.h"
#include "moorea/world_spec.h"

#pragma GCC visibility push(default)
namespace moorea {

/// Number of generations that a plan assumes if Options::generations is empty.
constexpr std::uint64_t default_generations = 10'000;

/// Predicted duration of a run with one set of options, from the measurements of moorea tune.
struct Estimate {
  Options options;           ///< a device, its default kernels (an empty name) or others, and their options
  std::string name;          ///< "auto on cpu", "cuda/bits on cuda:0, block 128x1"
  double start_seconds = 0;  ///< until the device is ready, beyond the start of the CPU
  double seconds = 0;        ///< including the start, in a world that is active everywhere
  bool taken = false;        ///< whether the run uses these options
  std::string verdict;       ///< "taken", or the reason against it
};

/// How a world is run, and why: the result of plan_run(), and Simulation::plan().
struct RunPlan {
  WorldSpec world;
  std::uint64_t generations = default_generations;  ///< that were expected, see Options::generations
  bool generations_assumed = true;                  ///< whether Options::generations was empty

  Options options;     ///< with the chosen device; with the kernel too, unless it is the device's default
  std::string kernel;  ///< name of the kernel or kernel pair, "cpu/strided + cpu/tiles"
  std::string device;  ///< name of the device, as in list_devices()
  std::string reason;  ///< "predicted to be done first", or why no prediction was used

  /// Predictions for all plans that moorea tune measured, in order of preference, then those that are never
  /// chosen because they are slow once a world becomes quiet. Empty if no measurements were used.
  std::vector<Estimate> estimates;
  std::string measured;  ///< date of the measurements; empty if none were used

  /// The estimate of the plan that is run; null if no prediction was used.
  const Estimate* prediction() const;

  /// All of this as text, as `moorea run --explain` prints it: lines without a final line break.
  std::string explanation() const;
};

/// Chooses device, kernel and kernel options for a world, as the constructors of Simulation do, without
/// creating it. A size of 0 x 0 is a plane that grows.
///
/// What `options` name is used unchanged. If they name nothing but `memory` and `generations`, the
/// measurements of moorea tune on this machine decide, where they apply: the plan that is predicted to
/// complete Options::generations first. Otherwise, and if the file of the measurements is missing, unreadable
/// or of another machine, the built-in preferences do: the first CUDA device for worlds of at least 2^24
/// cells, else the CPU, with the default kernels of that device. `RunPlan::reason` tells which it was.
///
/// Throws Error (usage) for an unknown kernel or an invalid option, Error (unavailable) if the named kernel
/// or device cannot run this rule. Costs microseconds, and for a rule without a name its machine code, which
/// is made once per process.
RunPlan plan_run(const WorldSpec& world, const Options& options = {});

}  // namespace moorea
#pragma GCC visibility pop
