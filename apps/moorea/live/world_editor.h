// SPDX-License-Identifier: MIT
// A world that can be edited and taken back in time: a simulation with its history, undo and redo. It has no
// clock and no clients; `Player` runs it at a pace, view and serve call its verbs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "live/history.h"
#include "moorea/grid.h"
#include "moorea/lab/instruments.h"
#include "moorea/pattern.h"
#include "moorea/rule.h"
#include "moorea/simulation.h"
#include "moorea/topology.h"

namespace app {

constexpr double max_cells_at_once = 1 << 28;  // of one edit or copy

/// Default memory of a history: a tenth of the host's memory, 2 GB at most.
std::size_t default_history_bytes();

/// Throws moorea::Error for a rectangle of more than max_cells_at_once cells.
void require_area(std::int64_t width, std::int64_t height);

/// Cells drawn by a pointer, which are in one state then.
struct Stroke {
  std::span<const moorea::Position> cells;  ///< at least one
  int state = 1;                            ///< 0 is dead
  bool continues = false;                   ///< the previous stroke; undo takes both back together
};

/// An edit that fails throws moorea::Error and leaves the world, its history, undo and redo as they were.
class WorldEditor {
 public:
  struct Settings {
    WorldFactory start;
    moorea::Pattern about;  ///< name, author and comments of the pattern
    moorea::Options engine;
    std::size_t max_history_bytes = default_history_bytes();
  };
  /// Creates the world. Throws moorea::Error as the factory does.
  explicit WorldEditor(const Settings& settings);

  const moorea::Simulation& simulation() const { return simulation_; }
  std::uint64_t generation() const { return simulation_.generation(); }
  const std::string& name() const { return about_.name; }
  const moorea::Pattern& about() const { return about_; }    ///< name, author and comments
  const moorea::Options& engine() const { return engine_; }  ///< as requested
  moorea::Bounds bounds() const { return simulation_.world().bounds(); }
  const std::optional<moorea::Box>& bounding_box() const;  ///< of the live cells
  /// First generation at which an unbounded plane met its edge (Simulation::edge_met()), whatever the present
  /// one; forgotten when an edit comes before it.
  const std::optional<std::uint64_t>& edge_met() const { return edge_met_; }

  /// First generation of the world, where reset() leads.
  std::uint64_t first_generation() const { return history_.first(); }
  /// Last generation of the recorded past, or the present one if it is later.
  std::uint64_t last_generation() const { return std::max(history_.last(), generation()); }
  bool can_undo() const { return history_.undo_target() != nullptr; }
  bool can_redo() const { return history_.redo_target() != nullptr; }
  std::uint64_t edits() const { return edits_; }      ///< number of edits, undo and redo included
  std::uint64_t version() const { return version_; }  ///< another number whenever the cells may differ
  /// Another number whenever the present does not follow from the one before by generations and by edits of
  /// its cells: after a jump in time, undo, redo, and with another world.
  std::uint64_t jumps() const { return jumps_; }

  /// Copies the cells in a box. Throws moorea::Error for more than max_cells_at_once cells.
  moorea::Pattern copy(const moorea::Box& box) const;

  // Edits at the present generation

  void draw(const Stroke& stroke);
  void clear(const moorea::Box& box);
  /// Adds live cells; the top-left cell of `cells` gets the coordinates `at`.
  void paste(const moorea::Pattern& pattern, moorea::Position at);
  /// Replaces the cells in a box by noise. The part outside a world of fixed size is dropped.
  void fill(const moorea::Box& box, double density, std::uint64_t seed);
  /// Keeps the cells around the middle of the world; those outside the new bounds are dropped. A surface has
  /// those of its mesh and is not resized.
  void resize(const moorea::Bounds& bounds);
  /// Parses a rule, with the suffix of its bounds if the world is to have others.
  void set_rule(const std::string& rule);

  // Another world

  /// Starts with noise; an unbounded plane starts empty. A surface remains the same one, and the size of
  /// Topology::surface is not used.
  void start_anew(const moorea::Bounds& bounds, double density, std::uint64_t seed);
  /// Starts with a pattern, called `file` if it has no name. A rule that it does not state is that of the
  /// world, and so are the bounds of a rule with B0. On a surface it is placed as in a world of fixed size.
  /// On an unbounded plane, cells that are in `tree` (read_pattern) are not expanded.
  void open(moorea::Pattern pattern, const std::string& file,
            const std::optional<moorea::CellTree>& tree = {});
  /// Returns to the first generation and forgets the later ones, but for undo.
  void reset();

  void undo();
  void redo();

  /// Continues on another device or with another kernel. No edit: no cell changes.
  void set_engine(const moorea::Options& options);

  // Time

  /// Advances by `generations` and returns the number of completed ones. Edits of the recorded past are
  /// applied at their generations. `go_on` as in Simulation::step.
  std::uint64_t advance(std::uint64_t generations, const std::function<bool()>& go_on = {});

  /// Goes to the checkpoint from which `generation` is computed soonest and returns how many generations are
  /// left to advance. The recorded past remains.
  std::uint64_t seek(std::uint64_t generation);

  /// The next advances record which thread computes which tile, until called with null. Returns why they
  /// cannot, or an empty text.
  std::string record_tiles(std::vector<moorea::TileEvent>* events);

  /// Cells times generations, summed over all advances.
  double cell_updates() const { return cell_updates_; }

  /// Records the edits since the last checkpoint as one. advance() and seek() begin with it.
  void commit_edits();
  /// Records the present in the history if there is room, which makes later time travel shorter.
  void keep_checkpoint();

 private:
  std::optional<Checkpoint> checkpoint() const;
  std::optional<Revision> revision() const;
  std::optional<moorea::Box> part_with_cells(const moorea::Box& box) const;
  void edit(const std::function<void()>& change, bool continues);
  void add(const moorea::Cells& cells, moorea::Position at, bool continues);
  void overwrite(const moorea::Grid& cells, moorea::Position at, bool continues,
                 moorea::PasteMode mode = moorea::PasteMode::replace);
  moorea::WorldSpec world_with(const moorea::Bounds& bounds) const;
  void change_to(const moorea::WorldSpec& world);
  void replace(moorea::Simulation next);
  void begin(const Checkpoint& start, const moorea::Pattern& about);
  std::optional<Revision> restore(const Revision& target);
  void adopt(moorea::Simulation simulation);
  void count_edit();
  void note_edge();
  std::uint64_t compute(std::uint64_t generations, const std::function<bool()>& go_on);
  void apply_recorded_edit();

  moorea::Options engine_;
  moorea::Simulation simulation_;
  History history_;
  moorea::Pattern about_;
  bool uncommitted_ = false;  // edited since the last checkpoint
  std::uint64_t edits_ = 0, version_ = 1, jumps_ = 0;
  double cell_updates_ = 0;
  std::vector<moorea::TileEvent>* tile_events_ = nullptr;  // of the next advances; null: not recorded
  std::optional<std::uint64_t> edge_met_;
  // Cache for this version; the outer optional is empty until it is computed
  mutable std::optional<std::optional<moorea::Box>> bounding_box_;
};

}  // namespace app
