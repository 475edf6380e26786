// SPDX-License-Identifier: MIT
// Soups of one thread, most of which are advanced together in the lanes of boards of several sizes, and leave
// them when they have settled or when they need a larger one; the rest runs alone (SoupRun).
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "census/soup_lanes.h"
#include "census/soup_run.h"

namespace moorea {

class SoupStream {
 public:
  struct Calls {
    /// Number of the next soup; empty if there is none.
    std::function<std::optional<std::uint64_t>()> next;
    std::function<CellList(std::uint64_t soup)> cells;
    /// Receives the objects of a soup, in any order of the soups.
    std::function<void(std::uint64_t soup, const SoupObjects& objects)> complete;
    std::function<bool()> go_on;  ///< as for SoupRun
    /// Whether soups that have begun are to be finished soon, and no others begun.
    std::function<bool()> hurries;
  };
  SoupStream(const Rule& rule, SoupBoards boards, std::uint64_t max_generations, Calls calls,
             std::size_t max_clusters = Catalogue::default_max_clusters);

  /// Runs soups until there is no next one and all are complete. Throws SearchStopped.
  void run();
  Catalogue& catalogue() { return alone_.catalogue(); }

 private:
  using Clock = std::chrono::steady_clock;
  struct Waiting {
    LaneSoup soup;
    CellList cells;
  };
  struct Level {
    std::unique_ptr<SoupLanes> lanes;  // null until a soup needs it
    std::deque<Waiting> waiting;
  };

  /// Whether another interval would lead beyond the generations for which a soup is in lanes.
  bool is_last(const LaneSoup& soup) const {
    return soup.generation + SoupWindow::interval > lane_generations_;
  }
  std::size_t level_of(std::int64_t size) const;
  SoupLanes& lanes_of(std::size_t level);
  static std::int64_t soups_of(const Level& level);
  std::optional<std::size_t> next_level();
  void admit_new();
  void admit_waiting(Level& level);
  void advance(std::size_t level);
  void examine(std::size_t level, int lane, bool is_due);
  void place(std::size_t level, int lane, bool is_due);
  const KnownCluster* find(SoupLanes& lanes, int lane, std::span<const Position> cells, const Box& box);
  void run_alone(LaneSoup& soup, CellList cells);
  void dissolve(Level& level);
  void finish_in_order();
  Clock::duration time_in_lanes() const;
  void complete(std::uint64_t soup, const SoupObjects& objects);
  std::vector<Waiting> remove_all(Level& level);

  SoupBoards boards_;
  Calls calls_;
  std::uint64_t lane_generations_;  // after which a soup runs alone
  SoupRun alone_;
  std::vector<Level> levels_;
  ClusterSearch clusters_;
  Assessment assessment_;
  SoupObjects objects_;
  bool no_more_ = false;
  std::uint64_t completed_ = 0;
  Clock::time_point begun_;  // when the first one was complete
};

}  // namespace moorea
