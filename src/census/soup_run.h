// SPDX-License-Identifier: MIT
// A soup's run until it has settled, on the smallest of several squares that suffices.
//
// No influence is faster than a cell per generation. What lies outside the inner part of the square is
// examined every few generations. The inner part grows by all that is there, but for spaceships that fly
// outwards and meet no other one: these are taken from the square once they are farther from the inner part
// than an influence may have come since the last examination, so that nothing can reach them without having
// been seen before. If the inner part comes near the border, the soup goes on in the next larger square.
//
// The inner part of a soup with a reach is this, and does not grow: the soup is cut off instead.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "census/assessment.h"
#include "census/small_ships.h"
#include "census/soup_board.h"

namespace moorea {

/// Objects of one soup; a code may occur several times.
using SoupObjects = std::vector<CountedObject>;

/// Replaces `objects` by those of all clusters of a settled assessment. Returns whether all could be
/// separated.
bool count_objects(const Assessment& assessment, Catalogue& catalogue, SoupObjects& objects);

/// A soup at generation 0 whose cells are in rows from position `at` on: bit i is column i.
struct SoupRows {
  std::span<const std::uint64_t> rows;
  Position at;
  std::int64_t columns = 0;
  Box reach = {};  ///< as SoupState has it
};

class SoupRun {
 public:
  /// `go_on` as for identify(): if it returns false, run() throws SearchStopped.
  SoupRun(const Rule& rule, std::uint64_t max_generations, std::function<bool()> go_on,
          std::shared_ptr<SharedCatalogue> shared = std::make_shared<SharedCatalogue>());

  /// The objects of a soup at generation 0, valid until the next call.
  const SoupObjects& run(const CellList& soup) { return run(SoupState{soup}); }
  const SoupObjects& run(const SoupState& soup) { return run(soup, soup); }
  /// The same of a soup in rows; `soup` returns its state at generation 0 if it is needed.
  const SoupObjects& run(const SoupRows& rows, const std::function<SoupState()>& soup);
  /// The objects of a soup that is in this state now: if it has a reach, at a multiple of interval
  /// generations.
  const SoupObjects& run(const SoupState& soup, SoupState state);
  /// The same, of a soup that is seen to have settled in this state; otherwise null. Those that are away must
  /// not influence each other.
  const SoupObjects* settled(const SoupState& state);

  /// Those of a soup that is cut off.
  const SoupObjects& cut_off();

  Catalogue& catalogue() { return catalogue_; }

  /// Generations between two examinations of what is outside the inner part.
  static constexpr std::uint64_t interval = 8;

 private:
  enum class Outcome { settled, unsettled, overflowed };
  enum class Outside { legal, overflowed, cut_off };
  // A spaceship outside the inner part.
  struct Leaving {
    AwayCluster as_away;
    MovingBox swept;  // for relation()
    Box in_period;    // of its cells in the next period
    Box box;          // of its cells now
    std::span<const Position> cells;
  };

  SoupBoard& board_of(std::size_t level);
  bool begin(SoupBoard& board, const SoupState& state);
  bool begin(SoupBoard& board, const SoupRows& soup);
  std::optional<Position> corner_for(const Box& cells, std::int64_t size) const;
  void set_first_inner(SoupBoard& board, const Box& cells);
  const SoupObjects& run_from(std::size_t level, SoupState& state, const std::function<SoupState()>& soup);
  bool set_inner(SoupBoard& board, const Box& cells);
  Outcome run_on(SoupBoard& board, bool is_smallest, SoupState& state);
  Outcome look_at_last(SoupBoard& board, SoupState& state);
  SoupState state_of(const SoupBoard& board) const;
  CellList objects_at(std::uint64_t before, std::uint64_t now) const;
  bool consists_of_known(const SoupBoard& board);
  bool has_settled(const SoupBoard& board, std::uint64_t max_period);
  bool have_settled(std::span<const ClusterCells> clusters, std::uint64_t now, const Assessment::Find& find);
  std::uint64_t generation(const SoupBoard& board) const { return begin_ + board.generation(); }
  static bool may_leave(const KnownCluster& ship);
  const KnownCluster* ship_of(const ClusterCells& cluster);
  bool is_decided(std::uint64_t now) const;
  bool is_within_reach() const;
  std::optional<Outcome> look_outside(SoupBoard& board, SoupState& state);
  Outside examine_outside(SoupBoard& board);
  template <class Others>
  bool stay_apart(const Leaving& ship, const MovingBox& other, const Others& others);
  bool leave(std::span<const std::size_t> group, std::uint64_t now);
  bool let_leave(SoupBoard& board);
  bool return_ships(SoupBoard& board);
  void identify_exactly(const CellList& soup);

  Rule rule_;
  SoupRule soup_rule_;
  SmallShips small_ships_;
  std::uint64_t max_generations_;
  std::function<bool()> go_on_;
  SearchContext context_;
  Catalogue catalogue_;
  std::uint32_t cut_off_code_;
  ClusterSearch clusters_;
  Assessment assessment_;
  std::vector<std::unique_ptr<SoupBoard>> boards_;  // null until a soup needs it
  std::uint64_t begin_ = 0;                         // generation at which the board began
  std::vector<std::uint64_t> populations_;          // of the board, at multiples of some generations
  std::vector<AwayCluster> away_;
  Box reach_;  // as in SoupState
  std::vector<Leaving> leaving_;
  SoupObjects objects_;
};

}  // namespace moorea
