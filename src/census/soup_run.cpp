// SPDX-License-Identifier: MIT
#include "census/soup_run.h"

#include <algorithm>

#include "moorea/census.h"
#include "moorea/identify.h"
#include "objects/recurrence.h"

namespace moorea {
namespace {

// Columns and rows of the squares: odd numbers of strips, so that most soups are in a middle one
constexpr std::int64_t sizes[] = {128, 384, 640, 1152, 4224};
// Generations between two examinations of what is outside the inner part
constexpr std::uint64_t interval = 8;
// Columns and rows from the inner part to what nothing can reach until the next one
constexpr std::int64_t out_of_reach = static_cast<std::int64_t>(interval) + 3;
// Least columns and rows between the inner part and the border: a glider that is still within reach and what
// it moves until the next examination
constexpr std::int64_t min_ring = 16;
// Of a ship
constexpr std::int64_t max_ship = 8;
constexpr std::uint64_t max_ship_period = 30;
// Columns and rows by which the inner part grows at least
constexpr std::int64_t room = 24;
// Generations after which cells are compared, a multiple of the periods of most oscillators; differences at
// which it is worthwhile to look whether a soup has settled, those of some ships and oscillators; and
// generations between two looks in vain
constexpr std::uint64_t compared = 120, max_differences = 64, max_stages_between_looks = 8;
constexpr std::uint64_t short_period = 60;
// Generations after which longer periods are searched now and then, on all squares but the smallest, which a
// soup leaves then
constexpr std::uint64_t first_long_search = 2048, max_in_smallest = 6000;
constexpr std::uint64_t max_period = 5'000;
constexpr std::size_t max_away = 1000;

}  // namespace

SoupRun::SoupRun(const Rule& rule, std::uint64_t max_generations, std::function<bool()> go_on,
                 std::shared_ptr<SharedCatalogue> shared)
    : rule_(rule),
      max_generations_(max_generations),
      go_on_(std::move(go_on)),
      context_(rule, max_period, go_on_),
      catalogue_(context_, std::move(shared)),
      boards_(std::size(sizes)) {}

bool count_objects(const Assessment& assessment, Catalogue& catalogue, SoupObjects& objects) {
  objects.clear();
  for (const AssessedCluster& cluster : assessment.clusters()) {
    const std::span<const CountedObject> found = catalogue.objects(*cluster.known);
    if (found.empty()) return false;
    objects.insert(objects.end(), found.begin(), found.end());
  }
  return true;
}

SoupBoard& SoupRun::board_of(std::size_t level) {
  if (!boards_[level]) boards_[level] = std::make_unique<SoupBoard>(rule_, sizes[level]);
  return *boards_[level];
}

const SoupObjects& SoupRun::run(const CellList& soup, SoupState state) {
  catalogue_.trim();
  objects_.clear();
  for (std::size_t level = 0; level < boards_.size(); ++level) {
    SoupBoard& board = board_of(level);
    if (!begin(board, state)) continue;
    const Outcome outcome = run_on(board, level == 0);
    if (outcome == Outcome::settled) return objects_;
    if (outcome == Outcome::unsettled) break;
    state = {board.cells(), generation(board), std::move(away_)};
  }
  identify_exactly(soup);
  return objects_;
}

// Farthest distance from the inner part on a side to which it moves.
static std::int64_t distance_beyond(const Box& inner, const Box& box, const Position& by) {
  std::int64_t distance = INT64_MIN;
  if (by.x > 0) distance = std::max(distance, box.x - inner.right());
  if (by.x < 0) distance = std::max(distance, inner.x - box.right());
  if (by.y > 0) distance = std::max(distance, box.y - inner.bottom());
  if (by.y < 0) distance = std::max(distance, inner.y - box.bottom());
  return distance;
}

// Sets an inner part with these cells, and some more; false if the border is too near.
bool SoupRun::set_inner(SoupBoard& board, const Box& cells) {
  const Box limit = board.box().expanded(-min_ring);
  if (!limit.contains(cells)) return false;
  board.set_inner(intersect(cells.expanded(room), limit));
  return true;
}

// Whether a ship remains on the board until the next examination.
static bool remains(const SoupBoard& board, const Box& cells, const KnownCluster& ship) {
  const Position& by = ship.swept.displacement;
  const std::int64_t speed = std::max(std::abs(by.x), std::abs(by.y)),
                     period = static_cast<std::int64_t>(ship.swept.period),
                     moved = (speed * static_cast<std::int64_t>(interval) + period - 1) / period;
  return board.box().expanded(-moved - 1).contains(cells);
}

// Puts those on the board that something may reach before the next examination. False if one would not remain
// on it.
bool SoupRun::return_ships(SoupBoard& board) {
  const std::uint64_t now = generation(board);
  bool all_remain = true;
  std::erase_if(away_, [&](const AwayCluster& away) {
    const Box box = away.box(now);
    if (away.known->moves() &&
        distance_beyond(board.inner(), box, away.known->swept.displacement) >= out_of_reach)
      return false;
    if (!remains(board, box, *away.known)) {
      all_remain = false;
      return false;
    }
    board.add(away.cells(now));
    return true;
  });
  return all_remain;
}

// False if the state does not fit on the board.
bool SoupRun::begin(SoupBoard& board, const SoupState& state) {
  const std::int64_t size = board.box().width;
  const Box cells = state.cells.empty() ? Box{} : bounds_of_unsorted(state.cells);
  const Position corner = {cells.x + cells.width / 2 - size / 2, cells.y + cells.height / 2 - size / 2};
  if (!Box{corner.x, corner.y, size, size}.expanded(-min_ring).contains(cells)) return false;
  board.begin(state.cells, corner);
  set_inner(board, cells);
  begin_ = state.generation;
  away_ = state.away;
  return return_ships(board);
}

SoupRun::Outcome SoupRun::run_on(SoupBoard& board, bool is_smallest) {
  std::uint64_t long_search = first_long_search, next_look = 0, stages_to_next = 1;
  std::uint64_t look = UINT64_MAX, looks = 0;  // generation of the next look, and looks in vain
  populations_.clear();
  while (generation(board) < max_generations_) {
    if (go_on_ && !go_on_()) throw SearchStopped();
    const std::uint64_t steps = std::min(interval, max_generations_ - generation(board));
    board.advance(steps, populations_);
    if (board.take_outside_changes() && !examine_outside(board)) return Outcome::overflowed;
    if (board.is_stable()) return has_settled(board, short_period) ? Outcome::settled : Outcome::unsettled;
    if (board.generation() % compared == 0) {
      // In another phase than last time, because an oscillator may fall into clusters that are not periodic
      // alone
      if (board.generation() >= next_look && board.is_as_kept(max_differences))
        look = board.generation() + looks % (compared / interval) * interval;
      board.keep();
    }
    if (board.generation() == look) {
      if (has_settled(board, short_period)) return Outcome::settled;
      ++looks;
      next_look = board.generation() + compared * stages_to_next;
      stages_to_next = std::min(2 * stages_to_next, max_stages_between_looks);
    }
    if (is_smallest) {
      if (board.generation() >= max_in_smallest) return Outcome::overflowed;
      continue;
    }
    if (away_.size() > max_away) return Outcome::unsettled;
    if (board.generation() >= long_search) {
      long_search += long_search / 2;
      const auto last = std::span(populations_).last(populations_.size() / 2);
      const auto found = find_recurrence(last, std::min<std::size_t>(max_period, last.size() / 3));
      if (found && found->growth != 0) return Outcome::unsettled;
      if (found && has_settled(board, max_period)) return Outcome::settled;
    }
  }
  // Whether it has at the last generation does not depend on when it was looked at before
  return has_settled(board, short_period) ? Outcome::settled : Outcome::unsettled;
}

bool SoupRun::has_settled(const SoupBoard& board, std::uint64_t longest) {
  const auto find = [&](std::span<const Position> cells, const Box& box) {
    return catalogue_.find(cells, box, longest);
  };
  return assessment_.assess(clusters_.find(board), away_, generation(board), find, true) &&
         assessment_.settled() && count_objects(assessment_, catalogue_, objects_);
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

// Those that fly side by side are away as one.
void SoupRun::leave(Leaving& ship, std::uint64_t now) {
  CellList cells(ship.cells.begin(), ship.cells.end());
  const std::size_t others = std::erase_if(away_, [&](const AwayCluster& other) {
    if (relation(ship.swept, other.swept(now)) != Relation::near) return false;
    const CellList mine = other.cells(now);
    cells.insert(cells.end(), mine.begin(), mine.end());
    return true;
  });
  if (others > 0) {
    const Box box = bounds_of_unsorted(cells);
    ship.as_away = {catalogue_.find(cells, box, short_period)->shared_from_this(), box.position(), now};
  }
  away_.push_back(std::move(ship.as_away));
}

// Ships that fly outwards may leave; the inner part grows by everything else. False if the border is too
// near.
bool SoupRun::examine_outside(SoupBoard& board) {
  const std::uint64_t now = generation(board);
  Box others;
  leaving_.clear();
  for (const ClusterCells& cluster : clusters_.find_outside(board)) {
    const bool is_small = cluster.box.width <= max_ship && cluster.box.height <= max_ship;
    const KnownCluster* const known =
        is_small ? catalogue_.find(cluster.cells, cluster.box, max_ship_period) : nullptr;
    if (known == nullptr || !known->moves() ||
        distance_beyond(board.inner(), cluster.box, known->swept.displacement) <= -max_ship) {
      others = unite(others, cluster.box);
      continue;
    }
    const AwayCluster as_away{known->shared_from_this(), cluster.box.position(), now};
    leaving_.push_back({as_away, as_away.swept(now), cluster.box, cluster.cells});
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
  for (Leaving& ship : leaving_) {
    ship.leaves = !may_meet(ship);
    if (!ship.leaves) others = unite(others, ship.box);
  }
  if (!others.empty()) {
    if (!set_inner(board, unite(board.inner(), others)) || !return_ships(board)) return false;
  }
  for (Leaving& ship : leaving_) {
    const Position& by = ship.swept.displacement;
    if (ship.leaves && distance_beyond(board.inner(), ship.box, by) >= out_of_reach) {
      board.remove(ship.cells);
      leave(ship, now);
    } else if (!remains(board, ship.box, *ship.as_away.known)) {
      return false;
    }
  }
  return true;
}

// Without boards: guns and puffers, and what does not settle in time.
void SoupRun::identify_exactly(const CellList& soup) {
  Pattern pattern = pattern_of(soup);
  pattern.rule = rule_.str();
  IdentifyOptions options;
  options.max_generations = max_generations_;
  options.max_period = max_period;
  options.threads = 1;
  options.go_on = go_on_;
  objects_.clear();
  const Identification found = identify(pattern, options);
  if (go_on_ && !go_on_()) throw SearchStopped();
  switch (found.kind) {
    case PatternKind::unknown:
      objects_.push_back({catalogue_.index_of(std::string(unsettled_code)), 1});
      return;
    case PatternKind::gun:
    case PatternKind::rake:
    case PatternKind::puffer:
      objects_.push_back({catalogue_.index_of(std::string(linear_code) + std::to_string(found.period)), 1});
      return;
    default:
      break;
  }
  for (const ObjectCount& object : found.census) {
    const std::string code = object.apgcode.empty() ? std::string(oversized_code) : object.apgcode;
    objects_.push_back({catalogue_.index_of(code), object.count});
  }
}

}  // namespace moorea
