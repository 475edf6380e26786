// SPDX-License-Identifier: MIT
// Soups that are advanced together, each in a window of one size.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "census/soup_window.h"

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

/// Lanes for one soup each. A new kind implements what is protected and virtual, and is_unchanged().
class SoupLanes {
 public:
  /// Lanes of windows with so many columns and rows.
  SoupLanes(std::int64_t size, int lanes);
  virtual ~SoupLanes() = default;
  SoupLanes(const SoupLanes&) = delete;
  SoupLanes& operator=(const SoupLanes&) = delete;

  std::int64_t size() const { return size_; }
  int lanes() const { return static_cast<int>(soups_.size()); }
  int active() const { return active_count_; }
  const std::vector<int>& vacant() const { return vacant_; }

  /// Adds a soup to a vacant lane; its live cells in absolute coordinates, all within its window.
  void add(LaneSoup soup, std::span<const Position> cells);
  /// Replaces the cells of an active lane.
  void replace(int lane, std::span<const Position> cells);
  void remove(int lane);

  /// Advances all by an interval. Afterwards lanes may be read and edited.
  void advance();
  LaneSoup& soup(int lane) { return soups_[static_cast<std::size_t>(lane)]; }
  /// Whether cells in the margin of an active lane differ from those before the interval, not counting ships
  /// that have flown as predicted.
  bool has_changed_margin(int lane) const { return has_changed_margin_[static_cast<std::size_t>(lane)]; }
  /// Number of cells that differ from those before the interval.
  std::uint64_t changed(int lane) const { return changed_[static_cast<std::size_t>(lane)]; }
  /// Whether a cell, in absolute coordinates, is as it was before the interval; of a lane of the last
  /// read(), since the last advance().
  virtual bool is_unchanged(int lane, const Position& at) const = 0;
  /// Reads the live cells of lanes, which are in ascending order, in absolute coordinates and row by row;
  /// cells() has them until the next call.
  void read(std::span<const int> lanes);
  CellList& cells(int lane) { return cells_[static_cast<std::size_t>(lane)]; }
  std::vector<int> active_lanes() const;  ///< in ascending order

 protected:
  /// New cells of lanes, in their windows; none in those that have been removed.
  using Edits = std::map<int, CellList>;
  virtual void write(const Edits& edits) = 0;
  virtual void read_cells(std::span<const int> lanes) = 0;
  /// Advances all lanes by an interval, and calls set_change() for each active one.
  virtual void advance_cells() = 0;

  void set_change(int lane, std::uint64_t cells, bool in_margin);
  /// Positions in the window of cells that followed ships leave and enter within the interval, if they do so
  /// in the margin: those that are there an odd number of times have changed. Called before the generation of
  /// the soup is increased.
  CellList expected_changes(int lane) const;
  std::span<CellList> lists() { return cells_; }
  Position corner(int lane) const { return soups_[static_cast<std::size_t>(lane)].window.corner; }

 private:
  void apply_edits();

  std::int64_t size_;
  std::vector<LaneSoup> soups_;
  std::vector<CellList> cells_;
  std::vector<bool> is_active_, has_changed_margin_;
  int active_count_ = 0;
  std::vector<int> vacant_;
  std::vector<std::uint64_t> changed_;
  Edits edits_;
};

/// Where the soups of a thread are advanced together.
struct SoupBoards {
  std::vector<std::int64_t> sizes;  ///< of windows, in ascending order
  std::function<std::unique_ptr<SoupLanes>(std::int64_t size)> make;
};
/// On a GPU, for about so many soups. They throw Error (unavailable) if it is not there.
SoupBoards soup_boards(const Rule& rule, int gpu, std::uint64_t soups);

}  // namespace moorea
