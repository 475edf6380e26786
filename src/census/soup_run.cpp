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
// Least columns and rows between the inner part and the border: a glider that is still within reach and what
// it moves until the next examination
constexpr std::int64_t min_ring = 16;
// Columns and rows by which the inner part grows at least
constexpr std::int64_t room = 24;
// Generations after which cells are compared, a multiple of the periods of most oscillators; differences at
// which it is worthwhile to look whether a soup has settled, those of some ships and oscillators; and
// generations between two looks in vain
constexpr std::uint64_t compared = 120, max_differences = 64, max_stages_between_looks = 8;
// Generations from which on populations are recorded, one of `compared`, after which longer periods are
// searched in them now and then, and after which a soup leaves the smallest square, where neither is done
constexpr std::uint64_t first_population = 1024, first_long_search = 2048, max_in_smallest = 6000;
// The limit of generations from which on identify() knows all oscillators of short periods, so that it does
// not matter whether a soup was seen to have settled before
constexpr std::uint64_t min_limit_of_known = 1024;
// Generations after the last one that are looked at: oscillators of small periods are in all phases then. And
// cells that are not as two generations before, at which it is worthwhile
constexpr std::uint64_t last_looks = 30, max_unsteady = 1024;
constexpr std::uint64_t max_long_period = 5'000;
constexpr std::size_t max_away = 1000;

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
      soup_rule_(rule),
      small_ships_(soup_rule_),
      max_generations_(max_generations),
      go_on_(std::move(go_on)),
      context_(rule, max_long_period, go_on_),
      catalogue_(context_, std::move(shared)),
      cut_off_code_(catalogue_.index_of(std::string(cut_off_code))),
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
  if (!boards_[level]) boards_[level] = std::make_unique<SoupBoard>(soup_rule_, sizes[level]);
  return *boards_[level];
}

const SoupObjects& SoupRun::cut_off() {
  objects_.assign(1, {cut_off_code_, 1});
  return objects_;
}

const SoupObjects& SoupRun::run(const SoupState& soup, SoupState state) {
  catalogue_.trim();
  return run_from(0, state, [&] { return soup; });
}

const SoupObjects& SoupRun::run(const SoupRows& rows, const std::function<SoupState()>& soup) {
  catalogue_.trim();
  SoupState state;
  if (!begin(board_of(0), rows)) return run_from(0, state = soup(), soup);
  switch (run_on(board_of(0), true, state)) {
    case Outcome::settled:
      return objects_;
    case Outcome::overflowed:
      return run_from(1, state, soup);
    case Outcome::unsettled:
      break;
  }
  identify_exactly(soup().cells);
  return objects_;
}

// In the first square from a level on that suffices.
const SoupObjects& SoupRun::run_from(std::size_t level, SoupState& state,
                                     const std::function<SoupState()>& soup) {
  for (; level < boards_.size(); ++level) {
    SoupBoard& board = board_of(level);
    if (!begin(board, state)) continue;
    const Outcome outcome = run_on(board, level == 0, state);
    if (outcome == Outcome::settled) return objects_;
    if (outcome == Outcome::unsettled) break;
  }
  identify_exactly(soup().cells);
  return objects_;
}

const SoupObjects* SoupRun::settled(const SoupState& state) {
  catalogue_.trim();
  away_ = state.away;
  reach_ = state.reach;
  const Box box = state.cells.empty() ? Box{} : bounds_of_unsorted(state.cells);
  const auto find = [&](std::span<const Position> cells, const Box& around) {
    return catalogue_.find(cells, around, short_period);
  };
  return have_settled(clusters_.find(state.cells, box), state.generation, find) ? &objects_ : nullptr;
}

// Sets an inner part with these cells, and some more; false if the border is too near.
bool SoupRun::set_inner(SoupBoard& board, const Box& cells) {
  const Box limit = board.box().expanded(-min_ring);
  if (!limit.contains(cells)) return false;
  board.set_inner(intersect(cells.expanded(room), limit));
  return true;
}

// A board's place for cells in this box; nothing if they do not fit there.
std::optional<Position> SoupRun::corner_for(const Box& cells, std::int64_t size) const {
  const Box& middle = reach_.empty() ? cells : reach_;
  const Box box = {middle.x + middle.width / 2 - size / 2, middle.y + middle.height / 2 - size / 2, size,
                   size};
  if (!box.expanded(-min_ring).contains(middle) || !box.expanded(-1).contains(cells)) return std::nullopt;
  return box.position();
}

void SoupRun::set_first_inner(SoupBoard& board, const Box& cells) {
  if (reach_.empty())
    set_inner(board, cells);
  else
    board.set_inner(reach_);
}

// False if the state does not fit on the board.
bool SoupRun::begin(SoupBoard& board, const SoupState& state) {
  const Box cells = state.cells.empty() ? Box{} : bounds_of_unsorted(state.cells);
  reach_ = state.reach;
  const std::optional<Position> corner = corner_for(cells, board.box().width);
  if (!corner) return false;
  board.begin(state.cells, *corner);
  set_first_inner(board, cells);
  begin_ = state.generation;
  away_ = state.away;
  return return_ships(board);
}

bool SoupRun::begin(SoupBoard& board, const SoupRows& soup) {
  const Box cells = {soup.at.x, soup.at.y, soup.columns, static_cast<std::int64_t>(soup.rows.size())};
  reach_ = soup.reach;
  const std::optional<Position> corner = corner_for(cells, board.box().width);
  if (!corner) return false;
  board.begin(soup.rows, soup.at, *corner);
  set_first_inner(board, cells);
  begin_ = 0;
  away_.clear();
  return true;
}

SoupState SoupRun::state_of(const SoupBoard& board) const {
  return {board.cells(), generation(board), away_, reach_};
}

// The outcome if it is known from what is outside the inner part; `state` as for run_on().
std::optional<SoupRun::Outcome> SoupRun::look_outside(SoupBoard& board, SoupState& state) {
  if (!board.take_outside_changes()) return std::nullopt;
  switch (examine_outside(board)) {
    case Outside::legal:
      break;
    case Outside::overflowed:
      state = state_of(board);
      return Outcome::overflowed;
    case Outside::cut_off:
      cut_off();
      return Outcome::settled;
  }
  return std::nullopt;
}

// If it overflows, `state` becomes the one in which the soup goes on in the next square.
SoupRun::Outcome SoupRun::run_on(SoupBoard& board, bool is_smallest, SoupState& state) {
  std::uint64_t long_search = first_long_search, next_look = 0, stages_to_next = 1;
  std::uint64_t look = UINT64_MAX, looks = 0;  // generation of the next look, and looks in vain
  populations_.clear();
  // What is outside its reach at the beginning may be gone at the next examination
  if (!reach_.empty()) {
    if (const auto ended = look_outside(board, state)) return *ended;
  }
  while (generation(board) < max_generations_) {
    if (go_on_ && !go_on_()) throw SearchStopped();
    board.advance(std::min(interval, max_generations_ - generation(board)));
    if (const auto ended = look_outside(board, state)) return *ended;
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
      // Most that have not settled have one cluster that is new, and would be searched in vain
      const bool is_quick = looks == 0 && max_generations_ >= min_limit_of_known;
      if (is_quick ? consists_of_known(board) : has_settled(board, short_period)) return Outcome::settled;
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
    // A larger square looks at the generation of `state`
    SoupState later;
    if (const auto ended = look_outside(board, later)) return *ended;
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
  const auto find = [&](std::span<const Position> cells, const Box& box) {
    return catalogue_.find(cells, box, max_period);
  };
  return have_settled(clusters_.find(board), generation(board), find);
}

// Whether it has settled, as far as nothing has to be searched to see it.
bool SoupRun::consists_of_known(const SoupBoard& board) {
  const auto find = [&](std::span<const Position> cells, const Box& box) {
    return catalogue_.known(cells, box, short_period);
  };
  return have_settled(clusters_.find(board), generation(board), find);
}

// With those that are away.
bool SoupRun::have_settled(std::span<const ClusterCells> clusters, std::uint64_t now,
                           const Assessment::Find& find) {
  if (!assessment_.assess(clusters, away_, now, find) || !is_decided(now) ||
      !count_objects(assessment_, catalogue_, objects_))
    return false;
  if (!is_within_reach()) cut_off();
  return true;
}

// Whether the ships have left the reach: what they look like when they do decides about the soup, whenever it
// is seen to have settled. At the limit they may be in it, if they look the same at multiples of interval
// generations.
bool SoupRun::is_decided(std::uint64_t now) const {
  return reach_.empty() || std::ranges::all_of(assessment_.clusters(), [&](const AssessedCluster& cluster) {
           return cluster.is_away() || !cluster.moves() ||
                  (now >= max_generations_ && may_leave(*cluster.known) &&
                   interval % cluster.known->cycle.period() == 0);
         });
}

// Whether clusters remain within it of which not all phases are seen at multiples of interval generations
// before the soup is seen to have settled.
bool SoupRun::is_within_reach() const {
  return reach_.empty() || std::ranges::all_of(assessment_.clusters(), [&](const AssessedCluster& cluster) {
           return cluster.is_away() || cluster.moves() || cluster.known->cycle.phases.size() <= 2 ||
                  reach_.contains(cluster.known->in_period.translated(cluster.at));
         });
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
