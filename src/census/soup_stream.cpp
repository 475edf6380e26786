// SPDX-License-Identifier: MIT
#include "census/soup_stream.h"

#include <algorithm>
#include <chrono>
#include <iterator>

namespace moorea {
namespace {

// A board is advanced while so many of its lanes are occupied, and for the last soups while one has so few
// cells that their windows are advanced faster than each alone
constexpr double worthwhile_share = 0.75;
constexpr std::int64_t max_cells_of_last = 1500;
// Changed cells within an interval of ash with a few oscillators and gliders
constexpr std::uint64_t max_calm_changes = 64;
// Intervals for which few cells have changed: an attempt, and one that searches what is not known
constexpr unsigned calm_attempt = 2, calm_search = 4;
constexpr std::uint64_t searched_period = 60;
// Clusters of more cells are not looked up while they change
constexpr std::size_t max_active_cells = 40;
// Generations after which a soup runs alone, where longer periods are found
constexpr std::uint64_t max_lane_generations = 6'000;
// For which soups that are to be finished go on in lanes, where most are faster than alone, if that suffices
constexpr std::chrono::seconds max_time_in_lanes{1};
// Intervals after which a soup is moved to a smaller board if it fits there
constexpr std::uint64_t descent_intervals = 12;

}  // namespace

SoupStream::SoupStream(const Rule& rule, SoupBoards boards, std::uint64_t max_generations, Calls calls,
                       std::size_t max_clusters)
    : boards_(std::move(boards)),
      calls_(std::move(calls)),
      lane_generations_(std::min(max_generations, max_lane_generations)),
      alone_(rule, max_generations, calls_.go_on, max_clusters),
      levels_(boards_.sizes.size()) {}

std::size_t SoupStream::level_of(std::int64_t size) const {
  return static_cast<std::size_t>(std::ranges::find(boards_.sizes, size) - boards_.sizes.begin());
}

SoupLanes& SoupStream::lanes_of(std::size_t level) {
  if (!levels_[level].lanes) levels_[level].lanes = boards_.make(boards_.sizes[level]);
  return *levels_[level].lanes;
}

std::int64_t SoupStream::soups_of(const Level& level) {
  return static_cast<std::int64_t>(level.waiting.size()) + (level.lanes ? level.lanes->active() : 0);
}

// The largest boards first, so that soups that have begun end before others begin.
std::optional<std::size_t> SoupStream::next_level() {
  const double worthwhile = worthwhile_share * levels_[0].lanes->lanes();
  for (std::size_t level = levels_.size(); level-- > 1;) {
    if (static_cast<double>(soups_of(levels_[level])) >= worthwhile) return level;
  }
  admit_new();
  if (!no_more_) return 0;
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    if (soups_of(levels_[level]) > 0) return level;
  }
  return std::nullopt;
}

// None if that would not suffice for most, as they have been slow; those under way are half done.
SoupStream::Clock::duration SoupStream::time_in_lanes() const {
  std::int64_t soups = 0;
  for (const Level& level : levels_) soups += soups_of(level);
  const std::chrono::duration<double> passed = Clock::now() - begun_;
  return completed_ > 0 && static_cast<double>(soups) / 2 * passed <=
                               static_cast<double>(completed_) * max_time_in_lanes
             ? max_time_in_lanes
             : Clock::duration();
}

void SoupStream::complete(std::uint64_t soup, const SoupObjects& objects) {
  if (completed_ == 0) begun_ = Clock::now();
  ++completed_;
  calls_.complete(soup, objects);
}

void SoupStream::run() {
  lanes_of(0);
  no_more_ = false;
  std::optional<Clock::time_point> ends_by;
  for (;;) {
    if (calls_.go_on && !calls_.go_on()) throw SearchStopped();
    const bool hurries = calls_.hurries && calls_.hurries();
    if (hurries) {
      no_more_ = true;
      if (!ends_by) ends_by = Clock::now() + time_in_lanes();
    }
    const std::optional<std::size_t> level = next_level();
    if (!level) return;
    const std::int64_t cells = boards_.sizes[*level] * boards_.sizes[*level];
    const bool are_few = no_more_ && soups_of(levels_[*level]) * max_cells_of_last < cells;
    if (hurries && (are_few || Clock::now() >= *ends_by)) {
      finish_in_order();
      return;
    }
    alone_.catalogue().trim();
    if (are_few)
      dissolve(levels_[*level]);
    else
      advance(*level);
  }
}

void SoupStream::admit_new() {
  SoupLanes& lanes = *levels_[0].lanes;
  const std::size_t waiting = levels_[0].waiting.size();
  for (std::size_t vacant = lanes.vacant().size(); !no_more_ && vacant > waiting; --vacant) {
    const std::optional<std::uint64_t> soup = calls_.next();
    if (!soup) {
      no_more_ = true;
      return;
    }
    const CellList cells = calls_.cells(*soup);
    const Box box = bounds(cells);
    const std::int64_t size = boards_.sizes[0];
    const Position corner = {box.x + box.width / 2 - size / 2, box.y + box.height / 2 - size / 2};
    LaneSoup begun{*soup, 0, {corner, size}, {}, {}};
    if (begun.window.outer_depth(box) < SoupWindow::margin || is_last(begun)) {
      run_alone(begun, cells);
      ++vacant;
    } else {
      lanes.add(std::move(begun), cells);
    }
  }
}

void SoupStream::admit_waiting(Level& level) {
  while (!level.waiting.empty() && !level.lanes->vacant().empty()) {
    level.lanes->add(std::move(level.waiting.front().soup), level.waiting.front().cells);
    level.waiting.pop_front();
  }
}

void SoupStream::advance(std::size_t level) {
  SoupLanes& lanes = lanes_of(level);
  admit_waiting(levels_[level]);
  lanes.advance();
  std::vector<int> examined;
  std::vector<bool> is_due(static_cast<std::size_t>(lanes.lanes()));
  for (const int lane : lanes.active_lanes()) {
    LaneSoup& soup = lanes.soup(lane);
    soup.calm = lanes.changed(lane) <= max_calm_changes ? soup.calm + 1 : 0;
    const bool due = lanes.has_changed_margin(lane) || soup.generation + SoupWindow::interval > soup.allowed;
    is_due[static_cast<std::size_t>(lane)] = due;
    const bool descends = level > 0 && soup.generation / SoupWindow::interval % descent_intervals == 0;
    if (due || (soup.calm > 0 && soup.calm % calm_attempt == 0) || is_last(soup) || descends)
      examined.push_back(lane);
  }
  lanes.read(examined);
  for (const int lane : examined) examine(level, lane, is_due[static_cast<std::size_t>(lane)]);
}

// Clusters that have not changed are searched, others only if they have been alone for long.
const KnownCluster* SoupStream::find(SoupLanes& lanes, int lane, std::span<const Position> cells,
                                     const Box& box) {
  Catalogue& catalogue = alone_.catalogue();
  const LaneSoup& soup = lanes.soup(lane);
  const bool is_small = cells.size() <= max_active_cells;
  if (is_small) {
    if (const KnownCluster* const known = catalogue.lookup(cells, box)) return known;
    if (box.width <= 8 && box.height <= 8 && soup.window.outer_depth(box) < SoupWindow::margin)
      return catalogue.find(cells, box, searched_period);
  }
  const bool is_calm = soup.calm >= calm_search || std::ranges::all_of(cells, [&](const Position& cell) {
                         return !soup.window.box().contains(cell) || lanes.is_unchanged(lane, cell);
                       });
  return is_calm ? catalogue.find(cells, box, searched_period) : nullptr;
}

void SoupStream::examine(std::size_t level, int lane, bool is_due) {
  SoupLanes& lanes = *levels_[level].lanes;
  LaneSoup& soup = lanes.soup(lane);
  const Assessment::Find known_cluster = [&](std::span<const Position> cells, const Box& box) {
    return find(lanes, lane, cells, box);
  };
  assessment_.assess(clusters_.find(lanes.cells(lane), soup.window.box()), soup.away, soup.generation,
                     known_cluster, false);
  if (assessment_.settled() && count_objects(assessment_, alone_.catalogue(), objects_)) {
    complete(soup.soup, objects_);
    lanes.remove(lane);
    return;
  }
  if (is_last(soup)) {
    run_alone(soup, std::move(lanes.cells(lane)));
    lanes.remove(lane);
    return;
  }
  place(level, lane, is_due);
}

// Moves a soup to another window if it needs one, or may have a smaller one.
void SoupStream::place(std::size_t level, int lane, bool is_due) {
  SoupLanes& lanes = *levels_[level].lanes;
  LaneSoup& soup = lanes.soup(lane);
  WindowChoice choice(assessment_);
  std::optional<SoupWindow> window = soup.window;
  if (!is_due || !choice.fits(*window)) {
    const std::size_t sizes = is_due ? boards_.sizes.size() : level;
    window = choice.choose(std::span(boards_.sizes).first(sizes));
    if (!window && !is_due) return;
    if (!window) {
      run_alone(soup, std::move(lanes.cells(lane)));
      lanes.remove(lane);
      return;
    }
  }
  LaneSoup moved{soup.soup, soup.generation, *window, {}, {}, UINT64_MAX, soup.calm};
  if (choice.allowed() < UINT64_MAX / 2) moved.allowed = soup.generation + choice.allowed();
  CellList cells;
  bool changed = !(*window == soup.window);
  const std::span<const AssessedCluster> clusters = assessment_.clusters();
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    const AssessedCluster& cluster = clusters[i];
    const bool was_away = cluster.cells.empty();
    changed = changed || was_away != choice.is_away(i);
    const auto as_away = [&] {
      return was_away ? soup.away[cluster.away]
                      : AwayCluster{cluster.known->shared_from_this(), cluster.at, soup.generation};
    };
    if (choice.is_away(i)) {
      moved.away.push_back(as_away());
    } else {
      if (cluster.moves() && !cluster.meets) moved.followed.push_back(as_away());
      if (was_away) {
        const CellList mine = soup.away[cluster.away].cells(soup.generation);
        cells.insert(cells.end(), mine.begin(), mine.end());
      } else {
        cells.insert(cells.end(), cluster.cells.begin(), cluster.cells.end());
      }
    }
  }
  if (!changed) {
    soup.allowed = moved.allowed;
    soup.followed = std::move(moved.followed);
    return;
  }
  const std::size_t target = level_of(window->size);
  if (target == level) {
    soup = std::move(moved);
    lanes.replace(lane, cells);
    return;
  }
  levels_[target].waiting.push_back({std::move(moved), std::move(cells)});
  lanes.remove(lane);
}

void SoupStream::run_alone(LaneSoup& soup, CellList cells) {
  std::sort(cells.begin(), cells.end(), RowOrder());
  complete(soup.soup,
           alone_.run(calls_.cells(soup.soup), {std::move(cells), soup.generation, std::move(soup.away)}));
}

std::vector<SoupStream::Waiting> SoupStream::remove_all(Level& level) {
  std::vector<Waiting> all(std::make_move_iterator(level.waiting.begin()),
                           std::make_move_iterator(level.waiting.end()));
  level.waiting.clear();
  if (!level.lanes) return all;
  const std::vector<int> active = level.lanes->active_lanes();
  level.lanes->read(active);
  for (const int lane : active) {
    all.push_back({std::move(level.lanes->soup(lane)), std::move(level.lanes->cells(lane))});
    level.lanes->remove(lane);
  }
  return all;
}

// The last few soups are faster alone than in the lanes of a board.
void SoupStream::dissolve(Level& level) {
  for (Waiting& each : remove_all(level)) run_alone(each.soup, std::move(each.cells));
}

void SoupStream::finish_in_order() {
  std::vector<Waiting> all;
  for (Level& level : levels_) {
    for (Waiting& each : remove_all(level)) all.push_back(std::move(each));
  }
  std::ranges::sort(all, {}, [](const Waiting& each) { return each.soup.soup; });
  for (Waiting& each : all) run_alone(each.soup, std::move(each.cells));
}

}  // namespace moorea
