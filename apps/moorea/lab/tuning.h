// SPDX-License-Identifier: MIT
// What moorea tune measured of this machine, and what it predicts for a run.
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

/// A way to run: a device, a kernel or what Moorea takes itself there, and what that lets be chosen.
struct Way {
  moorea::Options options;
  std::string name;  ///< "auto on cpu", "cuda/bits on cuda:0, block 128x1"
  /// Of each rule that was measured, seconds a generation of a busy torus by its number of cells.
  std::map<std::string, std::map<double, double>> seconds;

  bool is_automatic() const { return options.kernel.empty(); }
};

/// What a run is predicted to take that goes a way.
struct Prediction {
  const Way* way = nullptr;
  double start_seconds = 0;  ///< until its device is ready, more than the CPU takes
  double seconds = 0;        ///< with the start
  bool taken = false;
  std::string verdict;  ///< "taken", or why it is not
};

class Tuning {
 public:
  struct Device {
    std::string description;
    double start_seconds = 0;  ///< until it is ready, more than the CPU takes
    /// The kernel that any other one can leave quiet times to there; empty where nothing is left out in such
    /// times anyway, nothing where only what Moorea takes by itself knows about them.
    std::optional<std::string> quiet;
  };

  /// `document` is what json() made. Throws std::exception for anything else.
  explicit Tuning(const Json& document);

  /// From the results of bench, where "auto" has the times of what it is while all is busy.
  Tuning(const Json& results, std::map<std::string, Device> devices);

  Json json() const;

  /// All ways for at least one generation: first those that can be taken, then those that would lose their
  /// time once a world becomes quiet, the fastest first in both, where what Moorea takes by itself is the
  /// faster one within some percent. The first whose device is there is "taken"; `is_there` is asked until
  /// then. A rule that was not measured is taken for the one whose logic costs most nearly as much.
  std::vector<Prediction> predict(const moorea::Rule& rule, double cells, std::uint64_t generations,
                                  const std::function<bool(const std::string& device)>& is_there) const;

  /// How a simulation goes this way, in quiet times too.
  moorea::Options options_for(const Way& way) const;

  /// All but one of the ways, by its name; nothing where no other is left, or that one was what Moorea takes
  /// by itself, against which all others are measured.
  std::optional<Tuning> without(const std::string& way) const;

  const std::map<std::string, Device>& devices() const { return devices_; }
  const std::string& date() const { return date_; }

 private:
  std::vector<Way> ways_;
  std::map<std::string, Device> devices_;
  std::map<std::string, double> gates_;  // a word, of each rule that was measured
  std::string date_;
};

/// Where tune keeps it; empty where there is no place.
std::string tuning_file();

/// Compares a run with its prediction. One that was missed by a factor of three is dropped from what is kept,
/// unless other processes had the CPUs for more than a tenth of the time; says which, "" where it held.
std::string judge_prediction(const Tuning& tuning, const std::string& way, double predicted_seconds,
                             double seconds, double cpu_taken);

/// What is kept for this kind of processor and this version; else nothing, and why.
std::optional<Tuning> kept_tuning(std::string* why_not);

}  // namespace app
