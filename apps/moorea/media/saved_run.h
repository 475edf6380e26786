// SPDX-License-Identifier: MIT
// What outlives the process of moorea run: its checkpoints and its receipt.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "media/checkpoint_lock.h"
#include "media/dump.h"
#include "media/run_checkpoints.h"

namespace app {

struct SavedRunOptions {
  CheckpointOptions checkpoint;
  std::vector<std::string> every;  ///< times for checkpoints and generations for pictures
  std::string receipt;
};

void add_saved_run_options(Command& command, SavedRunOptions& options);

/// Where a run begins, and how many generations it has before it. Holds the lock of its checkpoint.
struct SavedStart {
  /// Looks for the checkpoint to continue from; then `world` becomes its world. `generations_text` is that of
  /// -g, empty for its default. `dump` gets its interval. Throws moorea::Error (usage) for options that do
  /// not go together, and as find_resumption().
  SavedStart(const SavedRunOptions& given, const std::string& generations_text, WorldOptions& world,
             DumpOptions& dump);

  SavedRunOptions options;
  std::optional<CheckpointLock> lock;
  std::optional<Resumption> resumed;
  std::uint64_t generations = 0;
};

/// Must be destroyed before the simulation, which its checkpoints may still read.
class SavedRun {
 public:
  /// Throws moorea::Error if a checkpoint cannot be created or the simulation is not that of the checkpoint.
  SavedRun(const SavedStart& start, const WorldOptions& world, moorea::Simulation& simulation);

  /// Call between passes: begins a checkpoint if one is due. Returns a line for the user, mostly empty.
  std::string poll();

  /// Saves the last state; says why if that fails.
  void finish();

  /// Adds the checkpoints to the run's report, and writes the receipt.
  void report(Json& json, const moorea::Simulation& simulation) const;

  /// Exit code of the run, with a line about an interruption: 0 if SIGTERM ended a run that is saved.
  int end(const moorea::Simulation& simulation) const;

 private:
  SavedRunOptions options_;
  std::unique_ptr<RunRecord> record_;
  std::optional<RunCheckpoints> checkpoints_;
  bool saved_ = false;
};

}  // namespace app
