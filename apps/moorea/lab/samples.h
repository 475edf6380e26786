// SPDX-License-Identifier: MIT
// Samples of one configuration, collected over the rounds of a sweep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "cli/app.h"
#include "cli/cpu_watch.h"
#include "report/frequency.h"

namespace app {

/// Samples of a configuration that all rounds together take at least.
constexpr std::size_t min_samples = 9;

/// Kernels that skip inactive tiles start each sample from the beginning, after generations in which they
/// find these tiles.
constexpr std::uint64_t settling_generations = 48;

struct Samples {
  int rounds = 0;                 ///< completed
  std::uint64_t generations = 1;  ///< of one sample
  /// Generation in which the last cell of the start dies, if a sample has reached it: each sample then starts
  /// from the beginning, and ends there at the latest.
  std::optional<std::uint64_t> dies_after;
  std::vector<TimedSample> times;
  std::vector<double> round_medians;
  std::size_t discarded_before = 0;                                   ///< in a results file that is resumed
  double watched_seconds = 0, taken_seconds = 0, stolen_seconds = 0;  ///< as in CpuWatch
  double joules = 0, joule_seconds = 0;  ///< energy, and the time for which it was measured
  std::optional<double> skipped_tiles;   ///< fraction
  FrequencyRecord frequency;
  Json parts;  ///< as parts_json(), after the last round
};

}  // namespace app
