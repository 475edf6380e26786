// SPDX-License-Identifier: MIT
#include "census/assessment.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace moorea {
namespace {

// Of boxes that stay near each other, as for relation()
constexpr std::int64_t min_distance = 3;
// Generations for which two of them are compared
constexpr std::uint64_t max_compared = 60;

AssessedCluster assessed(const KnownCluster* known, const Box& box, std::span<const Position> cells) {
  AssessedCluster cluster{known, known->swept, box.position(), cells};
  cluster.swept.box = cluster.swept.box.translated(cluster.at);
  return cluster;
}

// Whether cells of two clusters that do not move have a neighbour in common in any generation.
bool touch(const Cycle& a, const Position& at, const Cycle& b, const Position& other) {
  const Position by = other - at;
  const std::uint64_t generations = std::lcm(a.period(), b.period());
  if (generations > max_compared) return true;
  for (std::uint64_t g = 0; g < generations; ++g) {
    for (const Position& one : a.phases[g % a.period()]) {
      for (const Position& cell : b.phases[g % b.period()]) {
        const Position apart = cell + by - one;
        if (std::max(std::abs(apart.x), std::abs(apart.y)) < min_distance) return true;
      }
    }
  }
  return false;
}

// Whether a ship has passed a box that does not move, so that they are apart.
bool leaves_behind(const MovingBox& ship, const Box& other) {
  const Position& by = ship.displacement;
  const Box box = ship.box.expanded(min_distance);
  return (by.x >= 0 && box.x >= other.right()) || (by.x <= 0 && box.right() <= other.x) ||
         (by.y >= 0 && box.y >= other.bottom()) || (by.y <= 0 && box.bottom() <= other.y);
}

// Whether two clusters influence each other, or may do so at any time because they stay near each other.
bool stay_near(const AssessedCluster& a, const AssessedCluster& b) {
  if (a.moves() != b.moves()) return false;
  if (a.moves()) return relation(a.swept, b.swept) == Relation::near;
  // Cells of two still lifes have no neighbour in common, or they would be one cluster
  return distance(a.swept.box, b.swept.box) < min_distance && (a.swept.period > 1 || b.swept.period > 1) &&
         (a.cells.empty() || b.cells.empty() || touch(a.known->cycle, a.at, b.known->cycle, b.at));
}

}  // namespace

bool Assessment::assess(std::span<const ClusterCells> board, std::span<const AwayCluster> away,
                        std::uint64_t generation, const Find& find) {
  clusters_.clear();
  united_.clear();
  for (std::size_t i = 0; i < away.size(); ++i)
    clusters_.push_back({away[i].known.get(), away[i].swept(generation), away[i].at, {}, i});
  for (const ClusterCells& cluster : board) {
    const KnownCluster* const known = find(cluster.cells, cluster.box);
    if (known == nullptr) return false;
    clusters_.push_back(assessed(known, cluster.box, cluster.cells));
  }
  return unite_neighbours(away, generation, find) &&
         std::ranges::none_of(clusters_,
                              [&](const AssessedCluster& each) { return each.moves() && meets(each); });
}

// Without branches, so that several are compared at once.
bool Assessment::overlaps_any(const Reach& one, std::span<const Reach> others) {
  int any = 0;
  for (const Reach& other : others)
    any |= static_cast<int>(one.left < other.right) & static_cast<int>(other.left < one.right) &
           static_cast<int>(one.top < other.bottom) & static_cast<int>(other.top < one.bottom);
  return any != 0;
}

// Nowhere for one that moves.
Assessment::Reach Assessment::reach_of(const AssessedCluster& cluster) {
  constexpr std::int32_t far = std::int32_t{1} << 30;
  if (cluster.moves()) return {far, far, -far, -far};
  const Box box = cluster.swept.box.expanded(min_distance);
  const auto limited = [](std::int64_t at) {
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(at, -far, far));
  };
  return {limited(box.x), limited(box.y), limited(box.right()), limited(box.bottom())};
}

bool Assessment::unite_neighbours(std::span<const AwayCluster> away, std::uint64_t generation,
                                  const Find& find) {
  reaches_.clear();
  for (const AssessedCluster& cluster : clusters_) reaches_.push_back(reach_of(cluster));
  for (std::size_t i = away.size(); i < clusters_.size(); ++i) {
    const bool moves = clusters_[i].moves();
    if (!moves && !overlaps_any(reaches_[i], std::span(reaches_).first(i))) continue;
    for (std::size_t j = 0; j < i; ++j) {
      if (!moves && !overlaps_any(reaches_[i], std::span(reaches_).subspan(j, 1))) continue;
      const AssessedCluster &one = clusters_[i], &other = clusters_[j];
      if (!stay_near(one, other)) continue;
      CellList& cells = united_.emplace_back();
      for (const AssessedCluster* each : {&other, &one}) {
        if (each->cells.empty()) {
          const CellList mine = away[each->away].cells(generation);
          cells.insert(cells.end(), mine.begin(), mine.end());
        } else {
          cells.insert(cells.end(), each->cells.begin(), each->cells.end());
        }
      }
      const Box box = bounds_of_unsorted(cells);
      const KnownCluster* const known = find(cells, box);
      if (known == nullptr) return false;
      // The united one is compared with all others in its turn
      for (const std::size_t old : {i, j}) {
        clusters_.erase(clusters_.begin() + static_cast<std::ptrdiff_t>(old));
        reaches_.erase(reaches_.begin() + static_cast<std::ptrdiff_t>(old));
      }
      clusters_.push_back(assessed(known, box, cells));
      reaches_.push_back(reach_of(clusters_.back()));
      i -= 2;
      break;
    }
  }
  return true;
}

// Whether a spaceship may meet another cluster. Those that are away have been compared with each other before
// they were.
bool Assessment::meets(const AssessedCluster& ship) const {
  return std::ranges::any_of(clusters_, [&](const AssessedCluster& other) {
    return &ship != &other && !(ship.is_away() && other.is_away()) &&
           (other.moves() || !leaves_behind(ship.swept, other.swept.box)) &&
           relation(ship.swept, other.swept) != Relation::apart;
  });
}

}  // namespace moorea
