// SPDX-License-Identifier: MIT
// What moorea tune measured of this machine, and what it predicts for a run.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app.h"
#include "moorea/rule.h"
#include "moorea/simulation.h"

namespace app {

/// A way to run: a device, a kernel or what Moorea takes itself there, and what that lets be chosen.
struct Way {
  moorea::Options options;
  std::string name;  ///< "auto on cpu", "cuda/bits on cuda:0, block 128x1"
  /// Of each rule that was measured, seconds a generation of a busy world by its number of cells.
  std::map<std::string, std::map<double, double>> seconds;
};

/// How long a way would take.
struct Prediction {
  const Way* way = nullptr;
  double start_seconds = 0;  ///< until its device is ready, more than the CPU takes
  double seconds = 0;        ///< with the start
  std::string verdict;       ///< "taken", or why it lost
};

class Tuning {
 public:
  /// `document` is what json() made. Throws Json::exception for anything else.
  explicit Tuning(const Json& document);

  /// From the results of bench, where "auto" has the times of what it is while all is busy, and the start of
  /// each device in seconds.
  Tuning(const Json& results, std::map<std::string, double> start_seconds);

  Json json() const;

  /// All ways, in the order in which they are to be tried; a rule that was not measured is taken for the one
  /// whose logic costs most nearly as much. What leaves out what rests (auto) goes before what
  /// is faster by less than a tenth while all is busy.
  std::vector<Prediction> predict(const moorea::Rule& rule, double cells, std::uint64_t generations) const;

  const std::string& date() const { return date_; }

 private:
  std::vector<Way> ways_;
  std::map<std::string, double> start_seconds_;  // by device
  std::string date_;
};

/// Where tune keeps it; empty where there is no place.
std::string tuning_file();

/// What is kept for this machine and version; else nothing, and why.
std::optional<Tuning> kept_tuning(std::string* why_not);

}  // namespace app
