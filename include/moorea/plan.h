// SPDX-License-Identifier: MIT
// Moorea's choice of device and kernel for a world, and the reasons for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "moorea/out_of_core.h"
#include "moorea/simulation.h"
#include "moorea/world_spec.h"

#pragma GCC visibility push(default)
namespace moorea {

/// Number of generations that a plan assumes if Options::generations is empty.
constexpr std::uint64_t default_generations = 10'000;

/// Predicted run time of a world with one set of options, from the measurements of moorea tune.
struct Estimate {
  Options options;           ///< device, kernel (empty: the device's default) and kernel options
  std::string name;          ///< "auto on cpu", "cuda/bits on cuda:0, block 128x1"
  double start_seconds = 0;  ///< start-up time of the device minus that of the CPU
  double seconds = 0;        ///< including start_seconds, for a world that is active everywhere
  bool taken = false;        ///< whether this plan is selected
  std::string verdict;       ///< "taken", or why it is not selected
};

/// A device's part of a world that is divided by rows among several.
struct PlannedPart {
  std::string device;           ///< as in list_devices()
  std::string kernel;           ///< kernel or kernel pair
  int threads = 1;              ///< of the CPU
  double share = 0;             ///< fraction of the rows, at the beginning
  std::int64_t rows = 0;        ///< of a world of fixed size; 0 for an unbounded plane
  double cells_per_second = 0;  ///< measured before, from which the share follows; 0: not known
};

/// How a world is run, and why: the result of plan_run(), and Simulation::plan().
struct RunPlan {
  WorldSpec world;
  std::uint64_t generations = default_generations;  ///< Options::generations, or the default
  bool generations_assumed = true;                  ///< whether that is the default

  Options options;     ///< with the chosen device; with the kernel too, unless it is the device's default
  std::string kernel;  ///< name of the kernel or kernel pair, "cpu/strided + cpu/tiles"
  std::string device;  ///< name of the device, as in list_devices()
  std::string reason;  ///< "predicted to be done first", or why no prediction was used

  std::vector<PlannedPart> parts;            ///< from top to bottom; empty for a world on one device
  std::optional<OutOfCorePlan> out_of_core;  ///< partition of a world that is out of core

  /// Predictions for all plans measured by moorea tune, in order of preference; plans that are never selected
  /// because their kernels do not skip inactive regions follow at the end. Empty if no measurements were
  /// used.
  std::vector<Estimate> estimates;
  std::string measured;  ///< date of the measurements; empty if none were used

  /// Whether CPU threads compute the world or a part of it.
  bool uses_cpu() const;

  /// The estimate of the plan that is run; null if no prediction was used.
  const Estimate* prediction() const;

  /// All of this as text, as `moorea run --explain` prints it: lines without a final line break.
  std::string explanation() const;
};

/// Selects device, kernel and kernel options for a world, as the constructors of Simulation do, without
/// creating it. A size of 0 x 0 is an unbounded plane.
///
/// Options that are set are used unchanged. If none but `memory` and `generations` is set and moorea tune has
/// measured this machine, the plan with the minimum predicted time for Options::generations is selected.
/// Otherwise (other options set, `use_tuning` false, an unbounded plane, or the file of the measurements
/// missing, unreadable or of another machine) the built-in preferences select what is not set: the first CUDA
/// device for worlds of at least 2^24 cells, else the CPU, with the default kernels of that device.
/// RunPlan::reason states which of these applied.
///
/// Throws Error (usage) for an unknown kernel or an invalid option, Error (unavailable) if the named kernel
/// or device cannot run this rule, topology or size. Takes microseconds, except that the first call for a
/// rule without a name generates its machine code, and that calls that consider a CUDA device query the
/// driver, which the first of them has to start.
RunPlan plan_run(const WorldSpec& world, const Options& options = {});

}  // namespace moorea
#pragma GCC visibility pop
