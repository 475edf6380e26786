// SPDX-License-Identifier: MIT
// What outlives the process of moorea run: its checkpoints and its receipt.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/file_lock.h"
#include "cli/paths.h"
#include "media/dump.h"
#include "media/run_checkpoints.h"

namespace app {

struct SavedRunOptions {
  CheckpointOptions checkpoint;
  std::vector<std::string> every;  ///< times for checkpoints and generations for pictures
  std::string receipt;
};

void add_saved_run_options(Command& command, SavedRunOptions& options);

/// Other files of a run, by their options; empty if an option was not given.
struct RunFiles {
  std::string output, populations;
  NamedFiles inputs;  ///< beside the pattern
};

/// The files that a run writes.
NamedFiles output_files(const SavedRunOptions& options, const RunFiles& files);
/// Gives the checkpoint its name. Throws moorea::Error (usage) if an output replaces another one or an input.
void require_own_files(SavedRunOptions& options, const WorldOptions& world, const RunFiles& files);

/// Where a run begins, and how many generations it has before it. Holds the lock of its checkpoint.
struct SavedStart {
  /// Looks for the checkpoint to continue from; then `world` becomes its world. `generations_text` is that of
  /// -g, empty for its default. `dump` gets its interval. Throws moorea::Error (usage) for options that do
  /// not go together, and as find_resumption().
  SavedStart(const SavedRunOptions& given, const std::string& generations_text, WorldOptions& world,
             DumpOptions& dump, const RunProcesses& processes);

  SavedRunOptions options;
  const RunProcesses& processes;
  std::optional<FileLock> lock;  ///< of the process that leads
  std::optional<Resumption> resumed;
  std::uint64_t generations = 0;
};

/// Must be destroyed before the simulation, which its checkpoints may still read.
class SavedRun {
 public:
  /// Throws moorea::Error if a checkpoint cannot be created or the simulation is not that of the checkpoint.
  SavedRun(const SavedStart& start, const WorldOptions& world, moorea::Simulation& simulation);

  /// Saves name, author and comments of the pattern, too.
  void keep_texts(const moorea::Pattern& pattern);

  /// Call between passes: begins a checkpoint if one is due.
  SaveNews poll();

  /// Saves the last state; says why if that fails.
  void finish();

  /// Adds the checkpoints to the run's report, and writes the receipt, which gets the report's ranks.
  void report(Json& json, const moorea::Simulation& simulation) const;

  /// Exit code of the run, with a line about an interruption, whose exit code is given, otherwise 0: 0 if
  /// SIGTERM ended a run that is saved.
  int end(const moorea::Simulation& simulation, int interruption) const;

 private:
  SavedRunOptions options_;
  const RunProcesses& processes_;
  std::unique_ptr<RunRecord> record_;
  std::optional<RunCheckpoints> checkpoints_;
  bool saved_ = false;
};

}  // namespace app
