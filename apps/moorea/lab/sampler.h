// SPDX-License-Identifier: MIT
// Timing of one configuration: one round of samples, after a warm-up in which their length is found.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lab/configuration.h"
#include "lab/devices.h"
#include "lab/samples.h"
#include "lab/worlds.h"
#include "moorea/lab/frequency.h"
#include "moorea/lab/meters.h"

namespace app {

/// Generations of the first sample, before its length is found: a whole pass, because a kernel that computes
/// many generations in one is called with many.
std::uint64_t first_generations(const Configuration& configuration);

/// Decides when a round has enough samples: the needed number is undisturbed and the noise is low, or time is
/// up.
class StoppingCriterion {
 public:
  /// `budget` and `min_seconds` are in seconds, and at least one sample is needed. No round ends before
  /// `min_seconds`.
  StoppingCriterion(double budget, std::size_t needed, double min_seconds = 0)
      : budget_(budget), needed_(needed), min_seconds_(min_seconds) {}

  bool is_met(double elapsed_seconds, const std::vector<TimedSample>& samples) const;

 private:
  double budget_;
  std::size_t needed_;
  double min_seconds_;
};

/// Duration of the sampling of one configuration.
struct SamplingPlan {
  double budget = 2;       ///< maximum seconds of all rounds while the median is noisy
  double min_seconds = 0;  ///< minimum seconds of all rounds, for series over time
  int rounds = 3;
  double frequency_interval = 0.01;  ///< seconds between samples of the clock frequency; 0: none
};

/// Name of the environment variable with a prefix of /proc and /sys for the frequency meter, for tests.
constexpr const char* lab_root_variable = "MOOREA_LAB_ROOT";

class Sampler {
 public:
  Sampler(const Devices& devices, Worlds& worlds, const SamplingPlan& plan)
      : devices_(devices), worlds_(worlds), plan_(plan) {}

  /// "sampled" or "measured" with the source, or why these are absent on this machine. The frequency is not
  /// sampled while a GPU computes: its state is then empty.
  struct MeterStates {
    std::string core_frequency, energy;
  };

  /// Adds one round of samples, starting with the simulation as it is, which the last sample leaves in its
  /// last generation. Nothing after an interruption: no part of a round is kept. A world that dies is timed
  /// until it dies. Throws moorea::Error (run) if it has no live cell at the start.
  std::optional<MeterStates> sample(const Configuration& configuration, moorea::Simulation& simulation,
                                    Samples& samples);

 private:
  bool end_with_death(const Configuration& configuration, const moorea::Grid& world, Samples& samples);

  const Devices& devices_;
  Worlds& worlds_;
  SamplingPlan plan_;
  std::map<std::string, moorea::EnergyMeter> energy_;        // by device
  std::map<StartKey, std::optional<std::uint64_t>> deaths_;  // of worlds that die
};

}  // namespace app
