// SPDX-License-Identifier: MIT
#include "live/history.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <utility>

#include "moorea/cell_tree.h"

namespace app {
namespace {

constexpr std::size_t max_checkpoints = 64, max_revisions = 100;

}  // namespace

std::size_t bytes_of(const moorea::Pattern& pattern) {
  const int planes = pattern.states ? 1 + pattern.states->planes() : 1;
  return static_cast<std::size_t>(planes * pattern.cells.words_per_row() * pattern.cells.height()) * 8;
}

Checkpoint checkpoint_of(std::shared_ptr<const moorea::Pattern> cells) {
  return {[cells](const moorea::Options& options) { return moorea::Simulation::of(*cells, options); }, cells,
          bytes_of(*cells)};
}

Checkpoint checkpoint_of(std::shared_ptr<const moorea::Pattern> cells, const moorea::WorldSpec& world) {
  return {[cells, world](const moorea::Options& options) {
            return moorea::Simulation::of(*cells, world, options);
          },
          cells, bytes_of(*cells)};
}

Checkpoint checkpoint_of(const moorea::Simulation& simulation) {
  if (simulation.grows() && simulation.is_tree()) {
    return checkpoint_of(std::make_shared<const moorea::CellTree>(simulation.cell_tree()), simulation.rule(),
                         simulation.generation());
  }
  return checkpoint_of(std::make_shared<const moorea::Pattern>(simulation.snapshot()), simulation.world());
}

Checkpoint checkpoint_of(std::shared_ptr<const moorea::CellTree> cells, const moorea::Rule& rule,
                         std::uint64_t generation) {
  return {[cells, rule, generation](const moorea::Options& options) {
            moorea::Simulation made = moorea::Simulation::of_tree(rule, *cells, options);
            made.set_generation(generation);
            return made;
          },
          cells, cells->bytes()};
}

// Checkpoints and revisions share patterns: each is counted once.
std::size_t History::bytes() const {
  std::set<const void*> counted;
  std::size_t sum = 0;
  const auto count = [&](const Checkpoint& checkpoint) {
    if (checkpoint.cells && counted.insert(checkpoint.cells.get()).second) sum += checkpoint.bytes;
  };
  for (const auto& [generation, checkpoint] : checkpoints_) count(checkpoint);
  for (const Revisions* revisions : {&undo_, &redo_}) {
    for (const Revision& revision : *revisions) {
      count(revision.world);
      for (const auto& [generation, checkpoint] : revision.past) count(checkpoint);
    }
  }
  return sum;
}

void History::begin(std::uint64_t generation, Checkpoint checkpoint) {
  checkpoint.edited = true;
  Checkpoints checkpoints;
  checkpoints.emplace(generation, std::move(checkpoint));
  checkpoints_.swap(checkpoints);
}

void History::record_edit(std::uint64_t generation, Checkpoint checkpoint) {
  checkpoint.edited = true;
  const auto now = checkpoints_.insert_or_assign(generation, std::move(checkpoint)).first;
  checkpoints_.erase(std::next(now), checkpoints_.end());
  thin();
}

void History::record_lost_edit(std::uint64_t generation) {
  const std::uint64_t lost = std::max(generation, first() + 1);
  checkpoints_.erase(checkpoints_.lower_bound(lost), checkpoints_.end());
  Checkpoint& last = checkpoints_.rbegin()->second;
  last.gap = std::min(last.gap, lost);
}

void History::discard_after(std::uint64_t generation) {
  checkpoints_.erase(checkpoints_.upper_bound(generation), checkpoints_.end());
  checkpoints_.rbegin()->second.gap = Checkpoint::no_gap;
}

void History::record(std::uint64_t generation, Checkpoint checkpoint) {
  checkpoints_.emplace(generation, std::move(checkpoint));
  thin();
}

// The revisions that take most calls of redo, then of undo, to reach are dropped first.
void History::thin() {
  while (!redo_.empty() && bytes() > max_bytes_) redo_.pop_front();
  while (!undo_.empty() && bytes() > max_bytes_) undo_.pop_front();
  while (checkpoints_.size() > max_checkpoints || (checkpoints_.size() > 2 && bytes() > max_bytes_))
    thin_checkpoints();
}

// Drops every second checkpoint of the older half that follows from those before it; if there is none, the
// second of all.
void History::thin_checkpoints() {
  std::size_t dropped = 0, place = 0;
  const std::size_t older = checkpoints_.size() / 2;
  for (auto checkpoint = std::next(checkpoints_.begin()); checkpoint != checkpoints_.end() && place < older;
       ++place) {
    const bool drop = place % 2 == 0 && !checkpoint->second.edited;
    if (drop) {
      Checkpoint& before = std::prev(checkpoint)->second;
      before.gap = std::min(before.gap, checkpoint->second.gap);
    }
    checkpoint = drop ? checkpoints_.erase(checkpoint) : std::next(checkpoint);
    dropped += drop;
  }
  if (dropped > 0) return;
  Checkpoint& beginning = checkpoints_.begin()->second;
  const auto second = std::next(checkpoints_.begin());
  beginning.gap = std::min(beginning.gap, second->first);
  checkpoints_.erase(second);
}

Checkpoints::const_iterator History::checkpoint_for(std::uint64_t generation) const {
  const auto later = checkpoints_.upper_bound(generation);
  if (later == checkpoints_.begin()) return later;
  const auto found = std::prev(later);
  return found->second.gap <= generation && later != checkpoints_.end() ? later : found;
}

std::optional<std::uint64_t> History::next_edit(std::uint64_t generation) {
  const auto later = checkpoints_.upper_bound(generation);
  if (later != checkpoints_.begin()) {
    const std::uint64_t gap = std::prev(later)->second.gap;
    // The gap of an edit that was lost at the first generation starts one generation later
    const bool just_lost = gap == first() + 1 && later == checkpoints_.end();
    if (gap != Checkpoint::no_gap && generation < gap && !just_lost) {
      discard_after(generation);
      return std::nullopt;
    }
  }
  // A checkpoint with a gap also ends the search: whether the run goes beyond it is decided there
  for (auto checkpoint = later; checkpoint != checkpoints_.end(); ++checkpoint) {
    if (checkpoint->second.edited || checkpoint->second.gap != Checkpoint::no_gap) return checkpoint->first;
  }
  return std::nullopt;
}

void History::push(Revisions& to, std::optional<Revision> revision) {
  if (!revision) return to.clear();
  to.push_back(std::move(*revision));
  if (to.size() > max_revisions) to.pop_front();
}

void History::record_undo(std::optional<Revision> before) {
  redo_.clear();
  push(undo_, std::move(before));
  thin();
}

void History::exchange(Revisions& from, Revisions& to, std::optional<Revision> current) {
  checkpoints_ = std::move(from.back().past);
  from.pop_back();
  push(to, std::move(current));
  thin();
}

}  // namespace app
