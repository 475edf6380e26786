// SPDX-License-Identifier: MIT
// Checkpoints of moorea run: when they are due, signals of schedulers, and the continuation of a run.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli/app.h"
#include "cli/clock.h"
#include "cli/paths.h"
#include "cli/world.h"
#include "media/run_processes.h"
#include "media/run_record.h"
#include "moorea/checkpoint.h"
#include "moorea/simulation.h"

namespace app {

struct CheckpointOptions {
  std::string file;
  std::string every;  ///< a time, such as 10m
  std::string every_generations;
  bool resume = false;
  bool is_pattern = false;  ///< FILE is the pattern that the command names

  bool wanted() const { return !file.empty() || resume; }
};

/// Gives `options.file` the name of the file that the run saves to: the pattern's if no other is named, and
/// of a link the file that it leads to. Throws moorea::Error (usage) if that can be no checkpoint.
void name_checkpoint(CheckpointOptions& options, const WorldOptions& world);
/// The files that a run with such options writes.
NamedFiles checkpoint_files(const CheckpointOptions& options);

/// From now on SIGUSR1 asks for a checkpoint, instead of ending the program.
void catch_checkpoint_request();

/// The checkpoint from which a run continues.
struct Resumption {
  std::string file;
  moorea::CheckpointHeader header;
  Json notes;

  /// Throws moorea::Error (run) unless the simulation has the cells that were saved.
  void check(const moorea::Simulation& simulation) const;
};

/// The checkpoint that named options ask to continue from, if there is one; then `world` becomes its world,
/// and `options` get the file and the interval of the run. Throws moorea::Error (usage) if --resume has no
/// checkpoint or that of another run, and if a new run would replace a checkpoint; (run) if it is damaged and
/// the one before, too.
std::optional<Resumption> find_resumption(CheckpointOptions& options, WorldOptions& world,
                                          const RunProcesses& processes);

/// A line for the user, mostly empty.
struct SaveNews {
  std::string line;
  bool is_error = false;  ///< which --quiet does not keep back
  void tell() const { is_error ? say_error(line) : say(line); }
};

/// What checkpoints are made of, and by whom.
struct SavedThings {
  const RunRecord& record;
  moorea::Simulation& simulation;
  const RunProcesses& processes;
};

class RunCheckpoints {
 public:
  /// Throws moorea::Error (run) if FILE cannot be created. `saved` is the generation that FILE has already.
  RunCheckpoints(const CheckpointOptions& options, const SavedThings& things,
                 std::optional<std::uint64_t> saved);

  /// Call between passes: begins a checkpoint if one is due. Returns what there is to say about a checkpoint
  /// that failed or was asked for.
  SaveNews poll();

  /// Saves the present state, if that has not been done, and waits until it is on the disk. Returns whether
  /// it is.
  bool finish();
  /// A line about the last checkpoint, after finish().
  std::string result() const;

  Json json() const;

 private:
  void save();

  std::string file_;
  double every_ = 0;  // seconds; 0: never
  const RunRecord& record_;
  moorea::Simulation& simulation_;
  const RunProcesses& processes_;
  std::unique_ptr<RunSaver> saver_;
  Clock::time_point last_ = Clock::now();
  std::uint64_t failures_said_ = 0;
  bool was_requested_ = false;          // by a signal, at the last poll()
  std::optional<std::uint64_t> begun_;  // generation of the last checkpoint
  moorea::Observation observation_;
};

}  // namespace app
