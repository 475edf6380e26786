// SPDX-License-Identifier: MIT
// Periodic clusters of which a soup consists at a generation. It has settled if their boxes never come near
// each other. Clusters that stay near each other count as one.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <vector>

#include "census/away_cluster.h"
#include "census/clusters.h"

namespace moorea {

struct AssessedCluster {
  const KnownCluster* known;
  MovingBox swept;                  ///< in all generations
  Position at;                      ///< of its box's corner
  std::span<const Position> cells;  ///< empty if it is one of those that are away
  std::size_t away = 0;             ///< which of them

  bool moves() const { return known->moves(); }
  bool is_away() const { return cells.empty(); }
};

class Assessment {
 public:
  /// Returns the cluster of cells, whose smallest box is the second argument, or null if it is not known.
  using Find = std::function<const KnownCluster*(std::span<const Position>, const Box&)>;

  /// Whether all clusters, those of a board and those that are away, are known and will never influence each
  /// other; otherwise it ends at the first one that is not known. The cells of both have to remain.
  bool assess(std::span<const ClusterCells> board, std::span<const AwayCluster> away,
              std::uint64_t generation, const Find& find);

  /// Those of the last assessment.
  std::span<const AssessedCluster> clusters() const { return clusters_; }

 private:
  bool unite_neighbours(std::span<const AwayCluster> away, std::uint64_t generation, const Find& find);
  bool meets(const AssessedCluster& ship) const;

  // Columns and rows to which another cluster that does not move may come near
  struct Reach {
    std::int32_t left, top, right, bottom;
  };
  static bool overlaps_any(const Reach& one, std::span<const Reach> others);
  static Reach reach_of(const AssessedCluster& cluster);

  std::vector<AssessedCluster> clusters_;
  std::vector<Reach> reaches_;
  std::deque<CellList> united_;  // cells of clusters that have been united
};

}  // namespace moorea
