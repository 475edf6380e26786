// SPDX-License-Identifier: MIT
// Measures many configurations in one run. Every answer is compared with the reference's before it is timed.
// Samples are taken in rounds: each configuration has some in each, so that a machine whose speed drifts
// shows it as noise of all, not as a difference between the first and the last.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "cli/app.h"
#include "cli/clock.h"
#include "cli/cpu_watch.h"
#include "cli/status_line.h"
#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/meters.h"
#include "moorea/simulation.h"
#include "report/statistics.h"

namespace app {

constexpr const char* reference_kernel = "cpu/reference";
constexpr const char* large_reference =
    "cpu/bits";  // itself compared with the reference, by bench and in the tests

/// The name of what Moorea runs where no kernel is named.
constexpr const char* automatic = "auto";

/// A world to start from.
struct Start {
  moorea::Rule rule;
  moorea::Topology topology = moorea::Topology::torus;
  moorea::Size size;
  std::string world = "random:0.5:0";  // as moorea::starting_world
  std::uint64_t after = 0;             // generations that it has behind it before anything is timed

  auto key() const {
    return std::tuple(rule.birth(), rule.survival(), topology, size.width, size.height, world, after);
  }
};

struct Configuration {
  moorea::KernelInfo kernel;
  Start start;
  moorea::Options options;
  std::string problem;  // why it cannot be measured, where that is known before
  moorea::ErrorKind problem_kind = moorea::ErrorKind::usage;
};

/// A configuration as it was asked for, by which a file's rows are known again.
Json asked(const Configuration& configuration);

struct SweepOptions {
  double budget = 2;  // seconds of sampling for one configuration while its median is noisy
  int rounds = 3;
  std::string output;  // written anew after each measurement; empty: nowhere
  bool resume = false;
};

class Sweep {
 public:
  /// Throws moorea::Error for an output that cannot be written or gone on with.
  Sweep(std::vector<Configuration> configurations, SweepOptions options);

  /// Called with each row when its last round is done, and with each configuration that is not timed.
  std::function<void(const Json&)> on_measured, on_skipped;

  /// All of it, or until an interruption. Throws moorea::Error for an output that cannot be written or gone
  /// on with.
  void run();

  const Json& document() const { return document_; }
  bool any_wrong() const { return wrong_; }  ///< an answer was wrong
  bool any_failed() const {
    return failed_;
  }  ///< something else went wrong than a combination that cannot be
  /// Why the first of those that were not timed was not, unless its answer was wrong.
  std::optional<moorea::ErrorKind> first_refusal() const { return first_refusal_; }

 private:
  struct Row {
    Configuration configuration;
    Json asked;  // the configuration, by which a file's rows are known again
    Json facts;  // of the run: device, threads, tiles, ...
    int rounds_done = 0;
    bool checked = false, refused = false;
    bool dies = false;              // its world, so soon that each sample begins with it
    std::uint64_t generations = 1;  // of one sample
    std::vector<TimedSample> samples;
    std::vector<double> round_medians;
    std::size_t discarded_before = 0;  // of a row that is gone on with
    double watched_seconds = 0, taken_seconds = 0, stolen_seconds = 0;
    double joules = 0, joule_seconds = 0;
  };
  using Key = decltype(Start().key());

  void resume();
  void take_over(Row& row, const Json& kept);
  void write();
  void measure(Row& row, int round);
  void sample(Row& row, moorea::Simulation simulation);
  void show_progress(const Row& row, int round);
  void refuse(Row& row, const std::string& reason);
  void finish_row(Row& row);
  Json row_json(const Row& row);
  bool may_crash(const Configuration& configuration) const;
  void try_apart(const Configuration& configuration) const;
  void check(Row& row, moorea::Simulation& simulation);
  std::uint64_t expected_hash(const Start& start, std::uint64_t* generations, std::string* reference);
  const moorea::Grid& world(const Start& start);
  const moorea::Ceilings& ceilings(const std::string& device, int threads);
  bool uses_cpus(const std::string& device) const;
  moorea::EnergyMeter& energy(const std::string& device);

  SweepOptions options_;
  std::vector<Row> rows_;
  std::vector<Json> others_;  // rows of the output that were not asked for
  Json document_;
  std::map<Key, std::shared_ptr<const moorea::Grid>> worlds_;
  std::map<Key, std::tuple<std::uint64_t, std::uint64_t, std::string>> expected_;
  std::map<std::pair<std::string, int>, moorea::Ceilings> ceilings_;
  std::map<std::string, moorea::EnergyMeter> energy_;
  std::vector<moorea::DeviceInfo> devices_ = moorea::list_devices();
  StatusLine status_;
  Clock::time_point begin_;
  std::size_t done_ = 0, all_ = 0;  // measurements: rows times rounds
  bool wrong_ = false, failed_ = false;
  std::optional<moorea::ErrorKind> first_refusal_;
};

}  // namespace app
