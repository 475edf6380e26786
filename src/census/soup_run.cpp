// SPDX-License-Identifier: MIT
// Populations that recur are the hint that a soup may have settled.
//
// Spaceships that leave are taken from the board, and are put back before anything could meet them: they are
// followed by their boxes, and no influence is faster than a cell per generation.
#include "census/soup_run.h"

#include <algorithm>

#include "moorea/census.h"
#include "moorea/identify.h"
#include "objects/recurrence.h"

namespace moorea {
namespace {

constexpr std::int64_t small_strips = 16, large_strips = 64;
// Generations between two looks at the board
constexpr std::uint64_t stage = 32;
constexpr std::uint64_t release_stages = 8;
// Of a soup that has not settled although its populations recur: most wait for a ship that arrives later
constexpr std::uint64_t max_stages_between_looks = 8;
// A ship and the other cells approach each other by up to two cells per generation
constexpr std::int64_t return_distance = 2 * static_cast<std::int64_t>(stage) + 6;
constexpr std::int64_t release_distance = return_distance + 16;
// Populations that have to recur, and the longest period that they show; longer ones are searched now and
// then
constexpr std::size_t compared = 60, short_period = 30;
constexpr std::uint64_t first_long_search = 2048;
constexpr std::uint64_t max_period = 5'000;

}  // namespace

SoupRun::SoupRun(const Rule& rule, std::uint64_t max_generations, std::function<bool()> go_on,
                 std::size_t max_clusters)
    : rule_(rule),
      max_generations_(max_generations),
      go_on_(std::move(go_on)),
      context_(rule, max_period, go_on_),
      catalogue_(context_, max_clusters),
      small_(rule, small_strips) {}

bool count_objects(const Assessment& assessment, Catalogue& catalogue, SoupObjects& objects) {
  objects.clear();
  for (const AssessedCluster& cluster : assessment.clusters()) {
    const std::span<const CountedObject> found = catalogue.objects(*cluster.known);
    if (found.empty()) return false;
    objects.insert(objects.end(), found.begin(), found.end());
  }
  return true;
}

const SoupObjects& SoupRun::run(const CellList& soup, const SoupState& state) {
  objects_.clear();
  Outcome outcome = run_on(small_, state);
  if (outcome == Outcome::overflowed) {
    if (!large_) large_ = std::make_unique<SoupBoard>(rule_, large_strips);
    outcome = run_on(*large_, state);
  }
  if (outcome != Outcome::settled) identify_exactly(soup);
  return objects_;
}

SoupRun::Outcome SoupRun::run_on(SoupBoard& board, const SoupState& state) {
  board.begin(state.cells);
  begin_ = state.generation;
  away_ = state.away;
  populations_.clear();
  if (!away_.empty()) return_clusters(board);
  std::uint64_t long_search = first_long_search;
  std::uint64_t next_look = 0, stages_to_next = 1;
  while (generation(board) < max_generations_) {
    if (go_on_ && !go_on_()) throw SearchStopped();
    const std::uint64_t steps = std::min(stage, max_generations_ - generation(board));
    for (std::uint64_t g = 0; g < steps; ++g) {
      board.step();
      populations_.push_back(board.population());
    }
    if (!away_.empty()) return_clusters(board);
    if (board.overflowed()) return Outcome::overflowed;
    if (board.population() == 0 || (board.generation() >= next_look && recurs(compared))) {
      if (has_settled(board, short_period * 2)) return Outcome::settled;
      next_look = board.generation() + stage * stages_to_next;
      stages_to_next = std::min(2 * stages_to_next, max_stages_between_looks);
    }
    if (board.generation() >= long_search) {
      long_search += long_search / 2;
      const auto found =
          find_recurrence(populations_, std::min<std::size_t>(max_period, populations_.size() / 3));
      if (found && found->growth != 0) return Outcome::unsettled;
      if (found && has_settled(board, max_period)) return Outcome::settled;
    }
    if (board.generation() % (release_stages * stage) == 0) release_ships(board);
  }
  // Whether it has at the last generation does not depend on when it was looked at before
  return has_settled(board, short_period * 2) ? Outcome::settled : Outcome::unsettled;
}

bool SoupRun::recurs(std::uint64_t generations) const {
  if (populations_.size() < generations) return false;
  const auto found = find_recurrence(std::span(populations_).last(generations), short_period);
  return found && found->growth == 0;
}

bool SoupRun::has_settled(const SoupBoard& board, std::uint64_t longest) {
  const auto find = [&](std::span<const Position> cells, const Box& box) {
    return catalogue_.find(cells, box, longest);
  };
  return assessment_.assess(clusters_.find(board), away_, generation(board), find, true) &&
         assessment_.settled() && count_objects(assessment_, catalogue_, objects_);
}

// Ships that are far from all that stays on the board and move away from it, and that do not meet each other
// or those that are away, leave together.
void SoupRun::release_ships(SoupBoard& board) {
  struct Ship {
    AwayCluster as_away;
    MovingBox swept;
    std::span<const Position> cells;
    bool leaves = true;
  };
  std::vector<Ship> ships;
  Box others;
  for (const ClusterCells& cluster : clusters_.find(board)) {
    const bool is_small = cluster.box.width <= 8 && cluster.box.height <= 8;
    const KnownCluster* const known =
        is_small ? catalogue_.find(cluster.cells, cluster.box, short_period) : nullptr;
    if (known == nullptr || !known->moves()) {
      others = unite(others, cluster.box);
      continue;
    }
    const AwayCluster as_away{known->shared_from_this(), cluster.box.position(), generation(board)};
    ships.push_back({as_away, as_away.swept(generation(board)), cluster.cells});
  }
  if (others.empty()) return;
  const auto are_apart = [](const MovingBox& a, const MovingBox& b) {
    return relation(a, b) == Relation::apart;
  };
  const auto may_leave = [&](const Ship& ship) {
    if (distance(ship.swept.box, others) < release_distance || !are_apart(ship.swept, {others, {}, 1}))
      return false;
    for (const AwayCluster& other : away_)
      if (!are_apart(ship.swept, other.swept(generation(board)))) return false;
    return std::ranges::all_of(ships, [&](const Ship& other) {
      return &other == &ship ||
             (are_apart(ship.swept, other.swept) &&
              (other.leaves || distance(ship.swept.box, other.swept.box) >= release_distance));
    });
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (Ship& ship : ships) {
      if (!ship.leaves || may_leave(ship)) continue;
      ship.leaves = false;
      changed = true;
    }
  }
  for (const Ship& ship : ships) {
    if (!ship.leaves) continue;
    board.remove(ship.cells);
    away_.push_back(ship.as_away);
    populations_.clear();
  }
}

// If other cells, or a cluster that returns, come near them.
void SoupRun::return_clusters(SoupBoard& board) {
  for (bool any = true; any;) {
    const std::optional<Box> others = board.bounding_box();
    if (!others) return;
    any = std::erase_if(away_, [&](const AwayCluster& away) {
            if (distance(away.swept(generation(board)).box, *others) >= return_distance) return false;
            board.add(away.cells(generation(board)));
            return true;
          }) > 0;
    if (any) populations_.clear();
  }
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
