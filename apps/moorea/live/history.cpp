// SPDX-License-Identifier: MIT
#include "live/history.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <utility>

namespace app {
namespace {

constexpr std::size_t max_checkpoints = 64, max_changes = 100;

}  // namespace

std::size_t bytes_of(const moorea::Pattern& pattern) {
  return static_cast<std::size_t>(pattern.cells.words_per_row() * pattern.cells.height()) * 8;
}

Moment moment_of(std::shared_ptr<const moorea::Pattern> cells) {
  return {[cells](const moorea::Options& options) { return moorea::Simulation::of(*cells, options); }, cells};
}

Moment moment_of(const moorea::Simulation& simulation) {
  return moment_of(std::make_shared<const moorea::Pattern>(simulation.snapshot()));
}

// Each pattern once, whoever holds it.
std::size_t History::bytes() const {
  std::set<const moorea::Pattern*> counted;
  std::size_t sum = 0;
  const auto count = [&](const Moment& moment) {
    if (moment.cells && counted.insert(moment.cells.get()).second) sum += bytes_of(*moment.cells);
  };
  for (const auto& [generation, moment] : moments_) count(moment);
  for (const Change& change : changes_) {
    count(change.now);
    for (const auto& [generation, moment] : change.past) count(moment);
  }
  return sum;
}

void History::begin(std::uint64_t generation, Moment moment) {
  moment.drawn = true;
  std::map<std::uint64_t, Moment> moments;
  moments.emplace(generation, std::move(moment));
  moments_.swap(moments);
}

void History::change(std::uint64_t generation, Moment moment) {
  moment.drawn = true;
  const auto now = moments_.insert_or_assign(generation, std::move(moment)).first;
  moments_.erase(std::next(now), moments_.end());
  thin();
}

void History::lose(std::uint64_t generation) {
  const std::uint64_t lost = std::max(generation, first() + 1);
  moments_.erase(moments_.lower_bound(lost), moments_.end());
  Moment& last = moments_.rbegin()->second;
  last.gap = std::min(last.gap, lost);
}

void History::forget_later(std::uint64_t generation) {
  moments_.erase(moments_.upper_bound(generation), moments_.end());
  moments_.rbegin()->second.gap = Moment::no_gap;
}

void History::pass(std::uint64_t generation, Moment moment) {
  moments_.emplace(generation, std::move(moment));
  thin();
}

void History::thin() {
  while (!changes_.empty() && bytes() > max_bytes_) changes_.pop_front();
  while (moments_.size() > max_checkpoints || (moments_.size() > 2 && bytes() > max_bytes_)) {
    // Every second one of the older half that follows from those before; then whatever is second
    std::size_t dropped = 0, place = 0;
    const std::size_t older = moments_.size() / 2;
    for (auto moment = std::next(moments_.begin()); moment != moments_.end() && place < older; ++place) {
      const bool drop = place % 2 == 0 && !moment->second.drawn;
      if (drop) {
        Moment& before = std::prev(moment)->second;
        before.gap = std::min(before.gap, moment->second.gap);
      }
      moment = drop ? moments_.erase(moment) : std::next(moment);
      dropped += drop;
    }
    if (dropped == 0) {
      Moment& beginning = moments_.begin()->second;
      const auto second = std::next(moments_.begin());
      beginning.gap = std::min(beginning.gap, second->first);
      moments_.erase(second);
    }
  }
}

std::map<std::uint64_t, Moment>::const_iterator History::before(std::uint64_t generation) const {
  const auto later = moments_.upper_bound(generation);
  if (later == moments_.begin()) return later;
  const auto found = std::prev(later);
  return found->second.gap <= generation && later != moments_.end() ? later : found;
}

std::optional<std::uint64_t> History::next_drawn(std::uint64_t generation) {
  const auto later = moments_.upper_bound(generation);
  if (later != moments_.begin()) {
    const std::uint64_t gap = std::prev(later)->second.gap;
    // What was lost at the very beginning has its gap a generation later, and nothing comes behind it yet
    const bool just_lost = gap == first() + 1 && later == moments_.end();
    if (gap != Moment::no_gap && generation < gap && !just_lost) {
      forget_later(generation);
      return std::nullopt;
    }
  }
  // One with a gap, too: what follows it is asked for there
  for (auto moment = later; moment != moments_.end(); ++moment) {
    if (moment->second.drawn || moment->second.gap != Moment::no_gap) return moment->first;
  }
  return std::nullopt;
}

void History::remember(Moment now, const std::string& name, bool drawn) {
  changes_.push_back({std::move(now), name, drawn, moments_});
  if (changes_.size() > max_changes) changes_.pop_front();
  thin();
}

void History::undo() {
  moments_ = std::move(changes_.back().past);
  changes_.pop_back();
}

}  // namespace app
