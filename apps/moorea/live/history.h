// SPDX-License-Identifier: MIT
// The past of a world: checkpoints by generation for time travel, and the revisions that undo and redo return
// to. All of it shares one memory bound.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "moorea/cell_tree.h"
#include "moorea/pattern.h"
#include "moorea/simulation.h"

namespace app {

/// Creates a world, from stored cells or from what defines them.
using WorldFactory = std::function<moorea::Simulation(const moorea::Options&)>;

/// A state of the world that can be created again.
struct Checkpoint {
  WorldFactory make;
  std::shared_ptr<const void> cells = nullptr;  ///< cells that the factory holds; null if it holds none
  std::size_t bytes = 0;                        ///< of these cells
  bool edited = false;  ///< result of an edit, which does not follow from earlier checkpoints
  /// First generation after this checkpoint that does not follow from it: the result of an edit there could
  /// not be kept. Everything up to the next checkpoint is unknown then.
  std::uint64_t gap = no_gap;
  static constexpr std::uint64_t no_gap = UINT64_MAX;
};

using Checkpoints = std::map<std::uint64_t, Checkpoint>;  // by generation

/// Memory occupied by a pattern's cells, in bytes.
std::size_t bytes_of(const moorea::Pattern& pattern);

/// Creates a checkpoint that holds the cells: one bit per cell of the live cells' bounding box, or the tree
/// of a plane that is one.
Checkpoint checkpoint_of(std::shared_ptr<const moorea::Pattern> cells);  ///< in the world of its rule
Checkpoint checkpoint_of(std::shared_ptr<const moorea::Pattern> cells, const moorea::WorldSpec& world);
Checkpoint checkpoint_of(const moorea::Simulation& simulation);
/// Creates a checkpoint of an unbounded plane that begins as a tree, if it can be one.
Checkpoint checkpoint_of(std::shared_ptr<const moorea::CellTree> cells, const moorea::Rule& rule,
                         std::uint64_t generation);

/// The world at one time with the past that it had then: what undo and redo return to.
struct Revision {
  Checkpoint world;
  moorea::Pattern about;  ///< name, author and comments
  bool edited;            ///< since the last checkpoint
  Checkpoints past;
};

/// Generations between two checkpoints follow from the first of them, so a few suffice. When the history
/// exceeds its memory, revisions are dropped first, then every second checkpoint, old ones before recent
/// ones.
class History {
 public:
  explicit History(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  /// Starts a new past at this checkpoint. Revisions remain.
  void begin(std::uint64_t generation, Checkpoint checkpoint);

  /// Records the result of an edit; later checkpoints are dropped, as they do not follow from it.
  void record_edit(std::uint64_t generation, Checkpoint checkpoint);

  /// Records that an edit happened whose result is too large to keep.
  void record_lost_edit(std::uint64_t generation);

  /// Records a state that follows from the checkpoints before it, if this generation has no checkpoint.
  void record(std::uint64_t generation, Checkpoint checkpoint);

  /// Drops all checkpoints after a generation.
  void discard_after(std::uint64_t generation);

  /// Whether a checkpoint of this size leaves memory for others.
  bool has_room(double bytes) const { return bytes <= static_cast<double>(max_bytes_) / 2; }

  /// Returns the last checkpoint from which a generation follows, or the next later one if the generation
  /// lies in a gap or before the first checkpoint.
  Checkpoints::const_iterator checkpoint_for(std::uint64_t generation) const;

  /// Returns the generation of the next recorded edit after `generation`. If a gap comes first, a run from
  /// there diverges from the recorded past: the later checkpoints are dropped.
  std::optional<std::uint64_t> next_edit(std::uint64_t generation);

  std::uint64_t first() const { return checkpoints_.begin()->first; }  ///< generation
  std::uint64_t last() const { return checkpoints_.rbegin()->first; }  ///< generation

  /// Completes a revision of the present with its past.
  Revision revision(Checkpoint world, const moorea::Pattern& about, bool edited) const {
    return {std::move(world), about, edited, checkpoints_};
  }

  /// Records the revision before an edit; none if it was too large to keep, and then no earlier one can be
  /// returned to. What was undone before cannot be redone any more.
  void record_undo(std::optional<Revision> before);
  void discard_redo() { redo_.clear(); }

  /// Revisions that undo() and redo() return to; null if there is none.
  const Revision* undo_target() const { return undo_.empty() ? nullptr : &undo_.back(); }
  const Revision* redo_target() const { return redo_.empty() ? nullptr : &redo_.back(); }

  /// Restores the past of the undo or redo target and removes it. The opposite direction returns to
  /// `current`, which is empty if it was too large to keep. Requires a target.
  void undo(std::optional<Revision> current) { exchange(undo_, redo_, std::move(current)); }
  void redo(std::optional<Revision> current) { exchange(redo_, undo_, std::move(current)); }

 private:
  using Revisions = std::deque<Revision>;  // the next one to return to is the last

  void exchange(Revisions& from, Revisions& to, std::optional<Revision> current);
  static void push(Revisions& to, std::optional<Revision> revision);
  std::size_t bytes() const;
  void thin();
  void thin_checkpoints();

  std::size_t max_bytes_;
  Checkpoints checkpoints_;
  Revisions undo_, redo_;
};

}  // namespace app
