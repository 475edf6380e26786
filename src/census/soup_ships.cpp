// SPDX-License-Identifier: MIT
// What is outside the inner part of a soup's square: spaceships that leave it.
#include <algorithm>

#include "census/soup_run.h"

namespace moorea {
namespace {

// Columns and rows from the inner part to a spaceship that nothing can reach until the next examination
constexpr std::int64_t out_of_reach = static_cast<std::int64_t>(SoupRun::interval) + 3;
// Columns and rows of a spaceship in the phase in which it is found
constexpr std::int64_t max_ship = SmallShips::max_side;
static_assert(max_ship <= ClusterSearch::max_outside);
constexpr std::uint64_t max_ship_period = 30;

// Farthest distance of a moving box from the inner part on a side to which it moves.
std::int64_t distance_beyond(const Box& inner, const Box& box, const Position& by) {
  std::int64_t distance = INT64_MIN;
  if (by.x > 0) distance = std::max(distance, box.x - inner.right());
  if (by.x < 0) distance = std::max(distance, inner.x - box.right());
  if (by.y > 0) distance = std::max(distance, box.y - inner.bottom());
  if (by.y < 0) distance = std::max(distance, inner.y - box.bottom());
  return distance;
}

// Whether what has its cells in `box` for a period, and moves, remains on the board until the next
// examination.
bool remains(const SoupBoard& board, const Box& box, const MovingBox& ship) {
  const auto periods = static_cast<std::int64_t>((SoupRun::interval + ship.period - 1) / ship.period);
  const Position& by = ship.displacement;
  const Box inside = board.box().expanded(-1);
  return inside.contains(box) && inside.contains(box.translated({periods * by.x, periods * by.y}));
}

bool is_small(const Box& box) { return box.width <= max_ship && box.height <= max_ship; }

bool is_near(const MovingBox& a, const MovingBox& b) { return relation(a, b) == Relation::near; }

}  // namespace

// Whether a ship may leave the reach of a soup wherever it is when that is examined.
bool SoupRun::may_leave(const KnownCluster& ship) {
  return ship.moves() && ship.cycle.period() <= max_ship_period &&
         std::ranges::all_of(ship.cycle.phases,
                             [](const CellList& phase) { return is_small(bounds(phase)); });
}

// The ship of a small cluster, or null: if there is a reach, of one that may leave it.
const KnownCluster* SoupRun::ship_of(const ClusterCells& cluster) {
  if (!reach_.empty() && !catalogue_.is_recent(cluster.cells, cluster.box) &&
      !small_ships_.include(cluster.cells, cluster.box, max_ship_period))
    return nullptr;
  const KnownCluster* const known = catalogue_.find(cluster.cells, cluster.box, max_ship_period);
  return known != nullptr && (reach_.empty() ? known->moves() : may_leave(*known)) ? known : nullptr;
}

// Puts those on the board that something may reach before the next examination. False if one would not remain
// on it.
bool SoupRun::return_ships(SoupBoard& board) {
  const std::uint64_t now = generation(board);
  bool all_remain = true;
  std::erase_if(away_, [&](const AwayCluster& away) {
    const MovingBox ship = away.swept(now);
    if (away.known->moves() && distance_beyond(board.inner(), ship.box, ship.displacement) >= out_of_reach)
      return false;
    if (!remains(board, ship.box, ship)) {
      all_remain = false;
      return false;
    }
    board.add(away.cells(now));
    return true;
  });
  return all_remain;
}

// Whether a ship and another one, whose cells `others()` returns, never influence each other. Two that fly
// side by side do not if they are periodic together.
template <class Others>
bool SoupRun::stay_apart(const Leaving& ship, const MovingBox& other, const Others& others) {
  const Relation between = relation(ship.swept, other);
  if (between != Relation::near) return between == Relation::apart;
  CellList cells(ship.cells.begin(), ship.cells.end());
  for (const Position& cell : others()) cells.push_back(cell);
  const KnownCluster* const both = catalogue_.find(cells, bounds_of_unsorted(cells), short_period);
  return both != nullptr && both->moves();
}

// Takes the ships of a group to those that are away, as one with all that fly side by side with them. False
// if these are not periodic together.
bool SoupRun::leave(std::span<const std::size_t> group, std::uint64_t now) {
  std::vector<std::size_t> joined;
  for (std::size_t i = 0; i < away_.size(); ++i) {
    const MovingBox other = away_[i].swept(now);
    if (std::ranges::any_of(group, [&](std::size_t ship) { return is_near(leaving_[ship].swept, other); }))
      joined.push_back(i);
  }
  if (group.size() == 1 && joined.empty()) {
    away_.push_back(leaving_[group.front()].as_away);
    return true;
  }
  CellList cells;
  for (const std::size_t i : group)
    cells.insert(cells.end(), leaving_[i].cells.begin(), leaving_[i].cells.end());
  for (const std::size_t i : joined) {
    const CellList others = away_[i].cells(now);
    cells.insert(cells.end(), others.begin(), others.end());
  }
  const Box box = bounds_of_unsorted(cells);
  const KnownCluster* const known = catalogue_.find(cells, box, short_period);
  if (known == nullptr || !known->moves()) return false;
  // From the last one on, so that the numbers of the others remain
  for (auto i = joined.rbegin(); i != joined.rend(); ++i)
    away_.erase(away_.begin() + static_cast<std::ptrdiff_t>(*i));
  away_.push_back({known->shared_from_this(), box.position(), now});
  return true;
}

// Ships that fly outwards may leave. The inner part grows by everything else, or the soup is cut off; it
// overflows if the border is too near.
SoupRun::Outside SoupRun::examine_outside(SoupBoard& board) {
  const std::uint64_t now = generation(board);
  Box others;
  leaving_.clear();
  const std::span<const ClusterCells> outside =
      reach_.empty() ? clusters_.find_outside(board) : clusters_.find_outside(board, max_ship);
  // Nothing has to be searched then
  if (!reach_.empty() && !std::ranges::all_of(outside, is_small, &ClusterCells::box)) return Outside::cut_off;
  for (const ClusterCells& cluster : outside) {
    const KnownCluster* const known = is_small(cluster.box) ? ship_of(cluster) : nullptr;
    if (known == nullptr ||
        distance_beyond(board.inner(), cluster.box, known->swept.displacement) <= -max_ship) {
      others = unite(others, cluster.box);
      continue;
    }
    const AwayCluster as_away{known->shared_from_this(), cluster.box.position(), now};
    leaving_.push_back(
        {as_away, as_away.swept(now), known->in_period.translated(as_away.at), cluster.box, cluster.cells});
  }
  const auto may_meet = [&](const Leaving& ship) {
    return std::ranges::any_of(leaving_,
                               [&](const Leaving& other) {
                                 return &other != &ship &&
                                        !stay_apart(ship, other.swept, [&] { return other.cells; });
                               }) ||
           std::ranges::any_of(away_, [&](const AwayCluster& other) {
             return !stay_apart(ship, other.swept(now), [&] { return other.cells(now); });
           });
  };
  for (const Leaving& ship : leaving_) {
    if (may_meet(ship)) others = unite(others, ship.box);
  }
  if (!others.empty()) {
    if (!reach_.empty()) return Outside::cut_off;
    if (!set_inner(board, unite(board.inner(), others)) || !return_ships(board)) return Outside::overflowed;
  }
  return let_leave(board) ? Outside::legal : Outside::overflowed;
}

// Ships leave that are out of reach; those that fly side by side do together. False if one that has to stay
// would not remain on the board.
bool SoupRun::let_leave(SoupBoard& board) {
  const std::uint64_t now = generation(board);
  std::vector<bool> is_in_group(leaving_.size());
  std::vector<std::size_t> group;
  for (std::size_t first = 0; first < leaving_.size(); ++first) {
    if (is_in_group[first]) continue;
    group.assign(1, first);
    for (std::size_t k = 0; k < group.size(); ++k) {
      is_in_group[group[k]] = true;
      for (std::size_t i = first + 1; i < leaving_.size(); ++i) {
        if (is_in_group[i] || !is_near(leaving_[group[k]].swept, leaving_[i].swept)) continue;
        is_in_group[i] = true;
        group.push_back(i);
      }
    }
    const auto is_out = [&](std::size_t i) {
      return distance_beyond(board.inner(), leaving_[i].in_period, leaving_[i].swept.displacement) >=
             out_of_reach;
    };
    const bool leaves = std::ranges::all_of(group, is_out) && leave(group, now);
    for (const std::size_t i : group) {
      const Leaving& ship = leaving_[i];
      if (leaves)
        board.remove(ship.cells);
      else if (!remains(board, ship.in_period, ship.swept))
        return false;
    }
  }
  return true;
}

}  // namespace moorea
