// SPDX-License-Identifier: MIT
// Soups that are advanced together, each in a window of one size: bit k of a vector is a cell of soup k.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "census/soup_window.h"
#include "ensembles/lane_board.h"

namespace moorea {

/// A soup and the part of it that is not on a board.
struct LaneSoup {
  std::uint64_t soup = 0;  ///< its number
  std::uint64_t generation = 0;
  SoupWindow window;
  std::vector<AwayCluster> away;
  std::vector<AwayCluster> followed;   ///< ships on the board that meet nothing
  std::uint64_t allowed = UINT64_MAX;  ///< generation until which these may be so without an examination
  unsigned calm = 0;                   ///< intervals for which few cells have changed
};

class SoupLanes {
 public:
  SoupLanes(const BoundKernel& kernel, const Rule& rule, std::int64_t size);

  std::int64_t size() const { return world_.width; }
  int lanes() const { return board_.lanes(); }
  int active() const { return active_count_; }
  const std::vector<int>& vacant() const { return vacant_; }

  /// Adds a soup to a vacant lane; its live cells in absolute coordinates, all within its window.
  void add(LaneSoup soup, std::span<const Position> cells);
  /// Replaces the cells of an active lane, which have been read after advance().
  void replace(int lane, std::span<const Position> cells);
  void remove(int lane);

  /// Advances all by an interval. Afterwards lanes may be read and edited.
  void advance();
  LaneSoup& soup(int lane) { return soups_[static_cast<std::size_t>(lane)]; }
  /// Active lanes whose cells in the margin differ from those before the interval, not counting ships that
  /// have flown as predicted.
  const LaneSet& changed_margin() const { return changed_margin_; }
  /// Number of cells that differ from those before the interval.
  std::uint64_t changed(int lane) const { return changed_[static_cast<std::size_t>(lane)]; }
  /// Whether a cell, in absolute coordinates, is as it was before the interval.
  bool is_unchanged(int lane, const Position& at) const;
  /// Reads the live cells of lanes, in absolute coordinates; cells() has them until the next call.
  void read(const LaneSet& lanes);
  CellList& cells(int lane) { return cells_[static_cast<std::size_t>(lane)]; }
  const LaneSet& active_lanes() const { return active_; }

 private:
  void apply_edits();
  void expect_ships(int lane);

  WorldSpec world_;
  LaneBoard board_;
  LaneSnapshot earlier_;  // before the interval; afterwards cells that differ
  std::vector<LaneSoup> soups_;
  std::vector<CellList> cells_;
  LaneSet active_, changed_margin_;
  int active_count_ = 0;
  std::vector<int> vacant_;
  std::vector<std::uint64_t> changed_;
  LaneSet cleared_;  // lanes that apply_edits() clears
  struct Edit {
    int lane;
    Position at;  // in the window
  };
  std::vector<Edit> edits_;
};

}  // namespace moorea
