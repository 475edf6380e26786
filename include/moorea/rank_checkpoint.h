// SPDX-License-Identifier: MIT
// Checkpoints of a world that is divided among ranks: one file, of which each rank writes its rows.
#pragma once

#include <memory>
#include <string>

#include "moorea/checkpoint.h"
#include "moorea/ranks.h"

#pragma GCC visibility push(default)
namespace moorea {

/// Writes checkpoints of one simulation while it continues, one at a time, as CheckpointSaver does. Each rank
/// has a copy of its rows, compresses them in the background, and writes them to FILE.partial, which rank 0
/// creates, completes and renames once the rows of all ranks are on the disk. All ranks make the same calls,
/// which throw Error on all of them if one of them fails: then FILE is as it was.
class RankCheckpointSaver {
 public:
  /// Each rank compresses with up to `threads` threads; 0: as many as it has CPUs, at most 8. Links and
  /// refusals as of CheckpointSaver.
  RankCheckpointSaver(std::string path, std::shared_ptr<RankLink> link, int threads = 0);
  /// Abandons the checkpoint that is being written; call wait() first to complete it.
  ~RankCheckpointSaver();
  RankCheckpointSaver(const RankCheckpointSaver&) = delete;
  RankCheckpointSaver& operator=(const RankCheckpointSaver&) = delete;

  /// Begins a checkpoint; waits first until the one before is complete. The simulation must exist until the
  /// checkpoint is complete, and device_rows_of_rank() must not be called until then. If a rank has no memory
  /// for the copy, all wait until the checkpoint is written. `notes` are those of rank 0.
  void save(const Simulation& simulation, const std::string& notes = "{}");

  /// Gives the rows that ranks have compressed so far their places in the file, with one reduction over the
  /// ranks: call it now and then while the simulation continues, because up to 64 MiB per rank wait for it.
  /// Returns whether a checkpoint is being written.
  bool advance();

  /// Whether a checkpoint is being written, according to the last call of advance().
  bool busy() const;
  void wait();

  /// Equal on all ranks but for the seconds. `copy_bytes` is the memory of all copies.
  CheckpointSaver::Report report() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace moorea
#pragma GCC visibility pop
