// SPDX-License-Identifier: MIT
// A soup's run until it has settled.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "census/catalogue.h"
#include "census/clusters.h"
#include "census/soup_board.h"

namespace moorea {

/// Objects of one soup, by code; a code may occur several times.
using SoupObjects = std::vector<std::pair<std::string_view, std::uint64_t>>;

class SoupRun {
 public:
  /// `go_on` as for identify(): if it returns false, run() throws SearchStopped.
  SoupRun(const Rule& rule, std::uint64_t max_generations, std::function<bool()> go_on);

  /// The objects of the soup, valid until the next call.
  const SoupObjects& run(const CellList& cells);

 private:
  // A spaceship that was removed from the board because it is far from everything else and moves away
  struct Departed {
    const KnownCluster* ship = nullptr;
    Position at;                   // of its box's corner in the first phase
    std::uint64_t generation = 0;  // of that
  };
  // A cluster at the present generation
  struct Placed {
    const KnownCluster* known = nullptr;
    MovingBox swept;
    CellList cells;  // empty if departed
  };
  enum class Outcome { settled, unsettled, overflowed };

  Outcome run_on(SoupBoard& board, const CellList& cells);
  bool recurs(std::uint64_t generation) const;
  bool has_settled(const SoupBoard& board, std::uint64_t max_period);
  bool unite_neighbours(std::uint64_t max_period);
  bool ships_meet() const;
  void count();
  void release_ships(SoupBoard& board);
  void return_ships(SoupBoard& board);
  MovingBox swept_of(const Departed& ship, std::uint64_t generation) const;
  void identify_exactly(const CellList& cells);

  Rule rule_;
  std::uint64_t max_generations_;
  std::function<bool()> go_on_;
  SearchContext context_;
  Catalogue catalogue_;
  ClusterSearch clusters_;
  SoupBoard small_;
  std::unique_ptr<SoupBoard> large_;
  std::vector<std::uint64_t> populations_;  // since ships came or went last
  std::vector<Departed> departed_;
  std::vector<Placed> placed_;
  SoupObjects objects_;
  std::vector<std::string> other_codes_;
};

}  // namespace moorea
