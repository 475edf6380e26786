// SPDX-License-Identifier: MIT
#include "census/soup_run.h"

#include <algorithm>

#include "moorea/census.h"
#include "moorea/identify.h"
#include "objects/recurrence.h"

namespace moorea {
namespace {

// Columns and rows of the squares: odd numbers of strips, so that most soups begin in the middle one
constexpr std::int64_t sizes[] = {192, 448, 704, 1344, 4160};
// Generations between two examinations of what is outside the inner part
constexpr std::uint64_t interval = 8;
// Columns and rows from the inner part to a spaceship that nothing can reach until the next one
constexpr std::int64_t out_of_reach = static_cast<std::int64_t>(interval) + 3;
// Least columns and rows between the inner part and the border: a glider that is still within reach and what
// it moves until the next examination
constexpr std::int64_t min_ring = 16;
// Columns and rows of a spaceship in the phase in which it is found
constexpr std::int64_t max_ship = 8;
constexpr std::uint64_t max_ship_period = 30;
// Columns and rows by which the inner part grows at least
constexpr std::int64_t room = 24;
// Generations after which cells are compared, a multiple of the periods of most oscillators; differences at
// which it is worthwhile to look whether a soup has settled, those of some ships and oscillators; and
// generations between two looks in vain
constexpr std::uint64_t compared = 120, max_differences = 64, max_stages_between_looks = 8;
// Generations from which on populations are recorded, one of `compared`, after which longer periods are
// searched in them now and then, and after which a soup leaves the smallest square, where neither is done
constexpr std::uint64_t first_population = 1024, first_long_search = 2048, max_in_smallest = 6000;
// Generations after the last one that are looked at: oscillators of small periods are in all phases then. And
// cells that are not as two generations before, at which it is worthwhile
constexpr std::uint64_t last_looks = 30, max_unsteady = 1024;
constexpr std::uint64_t max_long_period = 5'000;
constexpr std::size_t max_away = 1000;

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
  const auto periods = static_cast<std::int64_t>((interval + ship.period - 1) / ship.period);
  const Position& by = ship.displacement;
  const Box inside = board.box().expanded(-1);
  return inside.contains(box) && inside.contains(box.translated({periods * by.x, periods * by.y}));
}

// Those that are away included.
CellList all_cells(const SoupState& state) {
  CellList all = state.cells;
  for (const AwayCluster& away : state.away) {
    const CellList cells = away.cells(state.generation);
    all.insert(all.end(), cells.begin(), cells.end());
  }
  std::sort(all.begin(), all.end(), RowOrder());
  return all;
}

}  // namespace

SoupRun::SoupRun(const Rule& rule, std::uint64_t max_generations, std::function<bool()> go_on,
                 std::shared_ptr<SharedCatalogue> shared)
    : rule_(rule),
      max_generations_(max_generations),
      go_on_(std::move(go_on)),
      context_(rule, max_long_period, go_on_),
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
    const Outcome outcome = run_on(board, level == 0, state);
    if (outcome == Outcome::settled) return objects_;
    if (outcome == Outcome::unsettled) break;
  }
  identify_exactly(soup);
  return objects_;
}

const SoupObjects* SoupRun::settled(const SoupState& state) {
  catalogue_.trim();
  away_ = state.away;
  const Box box = state.cells.empty() ? Box{} : bounds_of_unsorted(state.cells);
  return have_settled(clusters_.find(state.cells, box), state.generation, short_period) ? &objects_ : nullptr;
}

static bool is_near(const MovingBox& a, const MovingBox& b) { return relation(a, b) == Relation::near; }

// Sets an inner part with these cells, and some more; false if the border is too near.
bool SoupRun::set_inner(SoupBoard& board, const Box& cells) {
  const Box limit = board.box().expanded(-min_ring);
  if (!limit.contains(cells)) return false;
  board.set_inner(intersect(cells.expanded(room), limit));
  return true;
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

SoupState SoupRun::state_of(const SoupBoard& board) const {
  return {board.cells(), generation(board), away_};
}

// If it overflows, `state` becomes the one in which the soup goes on in the next square.
SoupRun::Outcome SoupRun::run_on(SoupBoard& board, bool is_smallest, SoupState& state) {
  std::uint64_t long_search = first_long_search, next_look = 0, stages_to_next = 1;
  std::uint64_t look = UINT64_MAX, looks = 0;  // generation of the next look, and looks in vain
  populations_.clear();
  while (generation(board) < max_generations_) {
    if (go_on_ && !go_on_()) throw SearchStopped();
    board.advance(std::min(interval, max_generations_ - generation(board)));
    if (board.take_outside_changes() && !examine_outside(board)) {
      state = state_of(board);
      return Outcome::overflowed;
    }
    if (board.is_stable()) return has_settled(board, short_period) ? Outcome::settled : Outcome::unsettled;
    if (board.generation() % compared == 0) {
      // In another phase than last time, because an oscillator may fall into clusters that are not periodic
      // alone
      if (board.generation() >= next_look && board.is_as_kept(max_differences))
        look = board.generation() + looks % (compared / interval) * interval;
      board.keep();
      if (!is_smallest && board.generation() >= first_population) populations_.push_back(board.population());
    }
    if (board.generation() == look) {
      if (has_settled(board, short_period)) return Outcome::settled;
      ++looks;
      next_look = board.generation() + compared * stages_to_next;
      stages_to_next = std::min(2 * stages_to_next, max_stages_between_looks);
    }
    if (is_smallest) {
      if (board.generation() < max_in_smallest) continue;
      state = state_of(board);
      return Outcome::overflowed;
    }
    if (away_.size() > max_away) return Outcome::unsettled;
    if (board.generation() >= long_search) {
      long_search += long_search / 2;
      const auto last = std::span(populations_).last(populations_.size() / 2);
      const auto found = find_recurrence(last);
      if (found && found->growth != 0) return Outcome::unsettled;
      if (found && has_settled(board, max_long_period)) return Outcome::settled;
    }
  }
  return look_at_last(board, state);
}

// Whether a soup has settled at the last generation, which must not depend on the generations at which it was
// looked at before: if it is seen to have settled in a later one, whether its cells were those of the same
// objects then.
SoupRun::Outcome SoupRun::look_at_last(SoupBoard& board, SoupState& state) {
  if (has_settled(board, short_period)) return Outcome::settled;
  state = state_of(board);
  board.keep();
  for (std::uint64_t g = 1; g <= last_looks; ++g) {
    board.advance(1);
    // A larger square looks at the same generation
    if (board.take_outside_changes() && !examine_outside(board)) return Outcome::overflowed;
    if (g == 2 && !board.is_as_kept(max_unsteady)) return Outcome::unsettled;
    if (has_settled(board, short_period))
      return objects_at(state.generation, generation(board)) == all_cells(state) ? Outcome::settled
                                                                                 : Outcome::unsettled;
  }
  return Outcome::unsettled;
}

// Cells at generation `before` of the clusters of a soup that has settled at generation `now`.
CellList SoupRun::objects_at(std::uint64_t before, std::uint64_t now) const {
  CellList all;
  for (const AssessedCluster& cluster : assessment_.clusters()) {
    const AwayCluster as_away = cluster.is_away()
                                    ? away_[cluster.away]
                                    : AwayCluster{cluster.known->shared_from_this(), cluster.at, now};
    const CellList cells = as_away.cells(before);
    all.insert(all.end(), cells.begin(), cells.end());
  }
  std::sort(all.begin(), all.end(), RowOrder());
  return all;
}

bool SoupRun::has_settled(const SoupBoard& board, std::uint64_t max_period) {
  return have_settled(clusters_.find(board), generation(board), max_period);
}

// With those that are away.
bool SoupRun::have_settled(std::span<const ClusterCells> clusters, std::uint64_t now,
                           std::uint64_t max_period) {
  const auto find = [&](std::span<const Position> cells, const Box& box) {
    return catalogue_.find(cells, box, max_period);
  };
  return assessment_.assess(clusters, away_, now, find) && count_objects(assessment_, catalogue_, objects_);
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
  CellList cells;
  std::vector<std::size_t> joined;
  for (const std::size_t i : group)
    cells.insert(cells.end(), leaving_[i].cells.begin(), leaving_[i].cells.end());
  for (std::size_t i = 0; i < away_.size(); ++i) {
    const MovingBox other = away_[i].swept(now);
    if (std::ranges::none_of(group, [&](std::size_t ship) { return is_near(leaving_[ship].swept, other); }))
      continue;
    const CellList mine = away_[i].cells(now);
    cells.insert(cells.end(), mine.begin(), mine.end());
    joined.push_back(i);
  }
  if (group.size() == 1 && joined.empty()) {
    away_.push_back(leaving_[group.front()].as_away);
    return true;
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
    if (!set_inner(board, unite(board.inner(), others)) || !return_ships(board)) return false;
  }
  return let_leave(board);
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

// Without boards: guns and puffers, and what does not settle in time.
void SoupRun::identify_exactly(const CellList& soup) {
  Pattern pattern = pattern_of(soup);
  pattern.rule = rule_.str();
  IdentifyOptions options;
  options.max_generations = max_generations_;
  options.max_period = max_long_period;
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
      objects_.push_back({catalogue_.index_of(!found.apgcode.empty()
                                                  ? found.apgcode
                                                  : std::string(linear_code) + std::to_string(found.period)),
                          1});
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
