// SPDX-License-Identifier: MIT
// Measurements of moorea tune on this machine, and its predictions for a run.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/app.h"
#include "moorea/rule.h"
#include "moorea/simulation.h"

namespace app {

/// A plan for a run: a device, a kernel or Moorea's own choice, and the kernel's options.
struct Way {
  moorea::Options options;
  std::string name;  ///< "auto on cpu", "cuda/bits on cuda:0, block 128x1"
  /// By rule and number of cells: seconds per generation of a torus that is active everywhere.
  std::map<std::string, std::map<double, double>> seconds;

  bool is_automatic() const { return options.kernel.empty(); }
};

/// Predicted time of a run by a plan.
struct Prediction {
  const Way* way = nullptr;
  double start_seconds = 0;  ///< until its device is ready, beyond the start of the CPU
  double seconds = 0;        ///< including the start
  bool taken = false;
  std::string verdict;  ///< "taken", or the reason against it
};

class Tuning {
 public:
  struct Device {
    std::string description;
    double start_seconds = 0;  ///< until it is ready, beyond the start of the CPU
    /// The kernel that replaces any other one there while the world is quiet. An empty name: no kernel skips
    /// inactive cells there; no name: only Moorea's own choice can change its kernel.
    std::optional<std::string> quiet;
  };

  /// Reads the result of json(). Throws std::exception for anything else.
  explicit Tuning(const Json& document);

  /// From the results of bench, in which "auto" has the times of the kernel that it is in a busy world.
  Tuning(const Json& results, std::map<std::string, Device> devices);

  Json json() const;

  /// Predictions of all plans for at least one generation: first those of plans that can be taken, then those
  /// of plans that are slow once a world becomes quiet, each in ascending order of time; Moorea's own choice
  /// counts as some percent faster. The first plan whose device is available is "taken"; `is_there` is called
  /// until then. A rule that was not measured gets the times of the measured one with the nearest number of
  /// logic gates.
  std::vector<Prediction> predict(const moorea::Rule& rule, double cells, std::uint64_t generations,
                                  const std::function<bool(const std::string& device)>& is_there) const;

  /// Options of a simulation by this plan, with the kernel for quiet worlds.
  moorea::Options options_for(const Way& way) const;

  /// All plans but the one of this name. Empty if no other is left, or if that one is Moorea's own choice,
  /// with which all others are compared.
  std::optional<Tuning> without(const std::string& way) const;

  const std::map<std::string, Device>& devices() const { return devices_; }
  const std::string& date() const { return date_; }

 private:
  // The plan's times for the rule, or for the measured rule nearest to it by `gates`, which is computed on
  // demand.
  const std::map<double, double>& times_for(const Way& way, const moorea::Rule& rule,
                                            std::optional<double>& gates) const;
  // Whether the plan stays fast in a world that becomes quiet.
  bool can_be_taken(const Way& way) const;
  // The reason for which `taken` is preferred to a prediction.
  std::string verdict_of(const Prediction& each, const Prediction& taken) const;

  std::vector<Way> ways_;
  std::map<std::string, Device> devices_;
  std::map<std::string, double> gates_;  // logic gates per word of each measured rule
  std::string date_;
};

/// Path of the tuning file; empty if neither XDG_CACHE_HOME nor HOME is set.
std::string tuning_file();

/// Compares a run with its prediction. A prediction that was wrong by a factor of three is dropped from the
/// tuning file, unless other processes used the CPUs for more than a tenth of the time. Returns a sentence
/// about it, or "" if the prediction held.
std::string judge_prediction(const Tuning& tuning, const std::string& way, double predicted_seconds,
                             double seconds, double cpu_taken);

/// The tuning file of this kind of processor and this version; if there is none, empty, and the reason in
/// *why_not.
std::optional<Tuning> kept_tuning(std::string* why_not);

}  // namespace app
