// SPDX-License-Identifier: MIT
// A sweep: measures many configurations. Each kernel's answer is compared with the reference's before it is
// timed. Samples are taken in rounds, in which all configurations take part: if the machine's speed drifts,
// the drift is noise of all configurations instead of a difference between the first and the last.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lab/checker.h"
#include "lab/configuration.h"
#include "lab/devices.h"
#include "lab/limits.h"
#include "lab/measured_row.h"
#include "lab/result_store.h"
#include "lab/sampler.h"
#include "lab/sweep_progress.h"
#include "lab/worlds.h"
#include "report/relative.h"

namespace app {

struct SweepOptions {
  SamplingPlan sampling;
  std::string output;                    ///< results file, written after each measurement; empty: none
  bool resume = false;                   ///< adopt the rows that the results file contains
  std::optional<Reference> relative_to;  ///< speeds are related to it
  std::vector<std::string> notes;        ///< Combined::notes, which the results file contains
};

class Sweep {
 public:
  /// Throws moorea::Error for an output that cannot be written or resumed.
  Sweep(std::vector<Configuration> configurations, SweepOptions options);

  /// Called with each row after its last round, and with each configuration that is not timed.
  std::function<void(const Json&)> on_measured;
  /// The second argument says whether an answer was wrong or the kernel failed.
  std::function<void(const Json&, bool)> on_skipped;

  /// Measures all configurations, or until an interruption. Throws moorea::Error for an output that cannot be
  /// written.
  void run();

  const Json& document() const { return store_.document(); }
  bool any_wrong() const { return wrong_; }  ///< whether an answer was wrong
  bool any_failed() const {
    return failed_;
  }  ///< whether an error of kind `run` occurred, other than a wrong answer
  /// Kind of the first error because of which a configuration was not timed, other than a wrong answer.
  std::optional<moorea::ErrorKind> first_refusal() const { return first_refusal_; }

 private:
  void resume();
  void plan();
  void run_round(int round);
  void measure(MeasuredRow& row);
  bool check(MeasuredRow& row, moorea::Simulation& simulation);
  void refuse(MeasuredRow& row, moorea::ErrorKind kind, const std::string& reason);
  void skip(MeasuredRow& row, const std::string& reason, bool is_error);
  void finish(const MeasuredRow& row);
  Json result_json(const MeasuredRow& row);
  std::vector<Json> references();
  void relate(Json& row, const std::vector<Json>& references) const;
  void write();

  SweepOptions options_;
  std::vector<MeasuredRow> rows_;
  Devices devices_;
  Worlds worlds_;
  Limits limits_;
  Checker checker_;
  Sampler sampler_;
  ResultStore store_;
  SweepProgress progress_;
  bool wrong_ = false, failed_ = false;
  std::optional<moorea::ErrorKind> first_refusal_;
};

}  // namespace app
