// SPDX-License-Identifier: MIT
// Populations that recur are the hint that a soup may have settled. It has if its clusters are all known as
// periodic, and their boxes never come near each other; clusters that stay near each other count as one.
//
// Spaceships that leave are taken from the board, and are put back before anything could meet them: they are
// followed by their boxes, and no influence is faster than a cell per generation.
#include "census/soup_run.h"

#include <cmath>

#include "moorea/census.h"
#include "moorea/identify.h"
#include "objects/recurrence.h"

namespace moorea {
namespace {

constexpr std::int64_t small_strips = 16, large_strips = 64;
// Generations between two looks at the board
constexpr std::uint64_t stage = 32;
constexpr std::uint64_t release_stages = 4;
// A ship and the other cells approach each other by up to two cells per generation
constexpr std::int64_t return_distance = 2 * static_cast<std::int64_t>(stage) + 6;
constexpr std::int64_t release_distance = return_distance + 16;
// Populations that have to recur, and the longest period that they show; longer ones are searched now and
// then
constexpr std::size_t compared = 60, short_period = 30;
constexpr std::uint64_t first_long_search = 2048;
constexpr std::uint64_t max_period = 5'000;

std::int64_t distance(const Box& a, const Box& b) {
  return std::max({a.x - b.right(), b.x - a.right(), a.y - b.bottom(), b.y - a.bottom()});
}

MovingBox placed_box(const KnownCluster& known, const Position& at) {
  return {known.swept.box.translated(at), known.swept.displacement, known.swept.period};
}

}  // namespace

SoupRun::SoupRun(const Rule& rule, std::uint64_t max_generations, std::function<bool()> go_on)
    : rule_(rule),
      max_generations_(max_generations),
      go_on_(std::move(go_on)),
      context_(rule, max_period, go_on_),
      catalogue_(context_),
      small_(rule, small_strips) {}

const SoupObjects& SoupRun::run(const CellList& cells) {
  objects_.clear();
  other_codes_.clear();
  catalogue_.trim();
  Outcome outcome = run_on(small_, cells);
  if (outcome == Outcome::overflowed) {
    if (!large_) large_ = std::make_unique<SoupBoard>(rule_, large_strips);
    outcome = run_on(*large_, cells);
  }
  if (outcome != Outcome::settled) identify_exactly(cells);
  return objects_;
}

SoupRun::Outcome SoupRun::run_on(SoupBoard& board, const CellList& cells) {
  board.begin(cells);
  departed_.clear();
  populations_.clear();
  std::uint64_t long_search = first_long_search;
  while (board.generation() < max_generations_) {
    if (go_on_ && !go_on_()) throw SearchStopped();
    for (std::uint64_t g = 0; g < stage; ++g) {
      board.step();
      populations_.push_back(board.population());
    }
    if (!departed_.empty()) return_ships(board);
    if (board.overflowed()) return Outcome::overflowed;
    if (board.population() == 0 || recurs(compared)) {
      if (has_settled(board, short_period * 2)) {
        count();
        return Outcome::settled;
      }
    }
    if (board.generation() >= long_search) {
      long_search += long_search / 2;
      const auto found =
          find_recurrence(populations_, std::min<std::size_t>(max_period, populations_.size() / 3));
      if (found && found->growth != 0) return Outcome::unsettled;
      if (found && has_settled(board, max_period)) {
        count();
        return Outcome::settled;
      }
    }
    if (board.generation() % (release_stages * stage) == 0) release_ships(board);
  }
  return Outcome::unsettled;
}

bool SoupRun::recurs(std::uint64_t generations) const {
  if (populations_.size() < generations) return false;
  const auto found = find_recurrence(std::span(populations_).last(generations), short_period);
  return found && found->growth == 0;
}

// Whether the clusters evolve without influence on each other for ever; `placed_` has them then.
bool SoupRun::has_settled(const SoupBoard& board, std::uint64_t longest) {
  placed_.clear();
  for (const ClusterCells& cluster : clusters_.find(board)) {
    const KnownCluster* const known = catalogue_.find(cluster.cells, cluster.box, longest);
    if (known == nullptr) return false;
    placed_.push_back({known, placed_box(*known, cluster.box.position()),
                       CellList(cluster.cells.begin(), cluster.cells.end())});
  }
  for (const Departed& ship : departed_)
    placed_.push_back({ship.ship, swept_of(ship, board.generation()), {}});
  return unite_neighbours(longest) && !ships_meet();
}

// Clusters that stay near each other become one; false if it is not periodic.
bool SoupRun::unite_neighbours(std::uint64_t longest) {
  for (std::size_t i = 0; i < placed_.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (relation(placed_[i].swept, placed_[j].swept) != Relation::near) continue;
      if (placed_[i].cells.empty() || placed_[j].cells.empty()) return false;
      CellList cells = std::move(placed_[j].cells);
      cells.insert(cells.end(), placed_[i].cells.begin(), placed_[i].cells.end());
      const Box box = bounds_of_unsorted(cells);
      const KnownCluster* const known = catalogue_.find(cells, box, longest);
      if (known == nullptr) return false;
      placed_[i] = {known, placed_box(*known, box.position()), std::move(cells)};
      placed_.erase(placed_.begin() + static_cast<std::ptrdiff_t>(j));
      i = static_cast<std::size_t>(-1);  // from the beginning
      break;
    }
  }
  return true;
}

bool SoupRun::ships_meet() const {
  for (const Placed& ship : placed_) {
    if (!ship.known->moves()) continue;
    for (const Placed& other : placed_) {
      if (&ship != &other && relation(ship.swept, other.swept) != Relation::apart) return true;
    }
  }
  return false;
}

void SoupRun::count() {
  for (const Placed& cluster : placed_) {
    for (const KnownCluster::Part& part : cluster.known->parts)
      objects_.emplace_back(catalogue_.code(part.code), part.count);
  }
}

// One cell larger, as it moves by fractions of a cell.
MovingBox SoupRun::swept_of(const Departed& departed, std::uint64_t generation) const {
  MovingBox swept = placed_box(*departed.ship, departed.at);
  const double periods =
      static_cast<double>(generation - departed.generation) / static_cast<double>(swept.period);
  const auto moved = [&](std::int64_t by) {
    return static_cast<std::int64_t>(std::floor(static_cast<double>(by) * periods));
  };
  swept.box = swept.box.translated({moved(swept.displacement.x), moved(swept.displacement.y)}).expanded(1);
  return swept;
}

void SoupRun::release_ships(SoupBoard& board) {
  Box others;
  std::vector<Departed> leaving;
  CellList removed;
  std::vector<std::size_t> ends;
  for (const ClusterCells& cluster : clusters_.find(board)) {
    const bool is_small = cluster.box.width <= 8 && cluster.box.height <= 8;
    const KnownCluster* const known =
        is_small ? catalogue_.find(cluster.cells, cluster.box, short_period) : nullptr;
    if (known == nullptr || !known->moves()) {
      others = unite(others, cluster.box);
      continue;
    }
    leaving.push_back({known, cluster.box.position(), board.generation()});
    removed.insert(removed.end(), cluster.cells.begin(), cluster.cells.end());
    ends.push_back(removed.size());
  }
  if (others.empty()) return;
  bool any = false;
  for (std::size_t i = 0, first = 0; i < leaving.size(); first = ends[i++]) {
    const MovingBox swept = swept_of(leaving[i], board.generation());
    bool leaves = distance(swept.box, others) >= release_distance &&
                  relation(swept, {others, {}, 1}) == Relation::apart;
    for (const Departed& other : departed_)
      leaves = leaves && relation(swept, swept_of(other, board.generation())) == Relation::apart;
    // Those that follow are on the board, or have departed before
    for (std::size_t j = i + 1; j < leaving.size(); ++j)
      leaves =
          leaves && distance(swept.box, swept_of(leaving[j], board.generation()).box) >= release_distance;
    if (!leaves) {
      others = unite(others, swept.box);
      continue;
    }
    board.remove(std::span(removed).subspan(first, ends[i] - first));
    departed_.push_back(leaving[i]);
    any = true;
  }
  if (any) populations_.clear();
}

// If other cells, or one that returns, come near them.
void SoupRun::return_ships(SoupBoard& board) {
  for (bool any = true; any;) {
    const std::optional<Box> others = board.bounding_box();
    if (!others) return;
    any = std::erase_if(departed_, [&](const Departed& departed) {
            const Box box = swept_of(departed, board.generation()).box;
            if (distance(box, *others) >= return_distance) return false;
            const auto passed = static_cast<std::int64_t>(board.generation() - departed.generation);
            board.add(translated(departed.ship->cycle.at(passed), departed.at));
            return true;
          }) > 0;
    if (any) populations_.clear();
  }
}

// Without boards: guns and puffers, and what does not settle in time.
void SoupRun::identify_exactly(const CellList& cells) {
  Pattern pattern = pattern_of(cells);
  pattern.rule = rule_.str();
  IdentifyOptions options;
  options.max_generations = max_generations_;
  options.max_period = max_period;
  options.threads = 1;
  options.go_on = go_on_;
  const Identification found = identify(pattern, options);
  if (go_on_ && !go_on_()) throw SearchStopped();
  other_codes_.reserve(found.census.size() + 1);
  switch (found.kind) {
    case PatternKind::unknown:
      objects_.emplace_back(unsettled_code, 1);
      return;
    case PatternKind::gun:
    case PatternKind::rake:
    case PatternKind::puffer:
      other_codes_.push_back(std::string(linear_code) + std::to_string(found.period));
      objects_.emplace_back(other_codes_.back(), 1);
      return;
    default:
      break;
  }
  for (const ObjectCount& object : found.census) {
    other_codes_.push_back(object.apgcode.empty() ? std::string(oversized_code) : object.apgcode);
    objects_.emplace_back(other_codes_.back(), object.count);
  }
}

}  // namespace moorea
