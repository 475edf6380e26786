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
#include "moorea/lab/meters.h"

namespace app {

/// Generations of the first sample, before its length is found: a whole pass, because a kernel that computes
/// many generations in one is called with many.
std::uint64_t first_generations(const Configuration& configuration);

/// Decides when a round has enough samples: the needed number is undisturbed and the noise is low, or time is
/// up.
class StoppingCriterion {
 public:
  /// `budget` is in seconds, and at least one sample is needed.
  StoppingCriterion(double budget, std::size_t needed) : budget_(budget), needed_(needed) {}

  bool is_met(double elapsed_seconds, const std::vector<TimedSample>& samples) const;

 private:
  double budget_;
  std::size_t needed_;
};

class Sampler {
 public:
  /// `budget` is in seconds for one configuration, `rounds` the number of rounds that share it.
  Sampler(const Devices& devices, Worlds& worlds, double budget, int rounds)
      : devices_(devices), worlds_(worlds), budget_(budget), rounds_(rounds) {}

  /// "sampled" or "measured", or why these are absent on this machine.
  struct MeterStates {
    std::string core_frequency, energy;
  };

  /// Adds one round of samples, starting with the simulation as it is. Nothing after an interruption: no part
  /// of a round is kept. A world that dies is timed until it dies. Throws moorea::Error (run) if it has no
  /// live cell at the start.
  std::optional<MeterStates> sample(const Configuration& configuration, moorea::Simulation simulation,
                                    Samples& samples);

 private:
  bool end_with_death(const Configuration& configuration, const moorea::Grid& world, Samples& samples);

  const Devices& devices_;
  Worlds& worlds_;
  double budget_;
  int rounds_;
  std::map<std::string, moorea::EnergyMeter> energy_;        // by device
  std::map<StartKey, std::optional<std::uint64_t>> deaths_;  // of worlds that die
};

}  // namespace app
