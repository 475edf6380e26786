// SPDX-License-Identifier: MIT
// A soup's run until it has settled.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "census/assessment.h"
#include "census/soup_board.h"

namespace moorea {

/// Objects of one soup; a code may occur several times.
using SoupObjects = std::vector<CountedObject>;

/// Replaces `objects` by those of all clusters of a settled assessment. Returns whether all could be
/// separated.
bool count_objects(const Assessment& assessment, Catalogue& catalogue, SoupObjects& objects);

class SoupRun {
 public:
  /// `go_on` as for identify(): if it returns false, run() throws SearchStopped.
  SoupRun(const Rule& rule, std::uint64_t max_generations, std::function<bool()> go_on,
          std::size_t max_clusters = Catalogue::default_max_clusters);

  /// The objects of a soup, valid until the next call.
  const SoupObjects& run(const CellList& soup) { return run(soup, {soup, 0, {}}); }
  /// The objects of a soup that is in this state now.
  const SoupObjects& run(const CellList& soup, const SoupState& state);

  Catalogue& catalogue() { return catalogue_; }

 private:
  enum class Outcome { settled, unsettled, overflowed };

  Outcome run_on(SoupBoard& board, const SoupState& state);
  bool recurs(std::uint64_t generation) const;
  bool has_settled(const SoupBoard& board, std::uint64_t max_period);
  std::uint64_t generation(const SoupBoard& board) const { return begin_ + board.generation(); }
  void release_ships(SoupBoard& board);
  void return_clusters(SoupBoard& board);
  void identify_exactly(const CellList& soup);

  Rule rule_;
  std::uint64_t max_generations_;
  std::function<bool()> go_on_;
  SearchContext context_;
  Catalogue catalogue_;
  ClusterSearch clusters_;
  Assessment assessment_;
  SoupBoard small_;
  std::unique_ptr<SoupBoard> large_;
  std::uint64_t begin_ = 0;                 // generation at which the board began
  std::vector<std::uint64_t> populations_;  // since clusters came or went last
  std::vector<AwayCluster> away_;
  SoupObjects objects_;
};

}  // namespace moorea
