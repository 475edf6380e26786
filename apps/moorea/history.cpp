// SPDX-License-Identifier: MIT
#include "history.h"

#include <iterator>
#include <memory>
#include <utility>

namespace app {
namespace {

constexpr std::size_t most_moments = 64, most_undone = 100;

std::size_t bytes_of(const std::map<std::uint64_t, Moment>& moments) {
  std::size_t bytes = 0;
  for (const auto& [generation, moment] : moments) bytes += moment.bytes;
  return bytes;
}

std::size_t bytes_of(const std::deque<Moment>& moments) {
  std::size_t bytes = 0;
  for (const Moment& moment : moments) bytes += moment.bytes;
  return bytes;
}

}  // namespace

Moment moment_of(const moorea::Simulation& simulation) {
  auto cells = std::make_shared<const moorea::Pattern>(simulation.snapshot());
  const auto bytes = static_cast<std::size_t>(cells->cells.words_per_row() * cells->cells.height() * 8);
  return {[cells](const moorea::Options& options) { return moorea::Simulation::of(*cells, options); }, bytes};
}

void History::begin(std::uint64_t generation, Moment moment) {
  moments_.clear();
  moment.drawn = true;
  moments_.emplace(generation, std::move(moment));
}

void History::change(std::uint64_t generation, Moment moment) {
  moments_.erase(moments_.lower_bound(generation), moments_.end());
  moment.drawn = true;
  moments_.emplace(generation, std::move(moment));
  thin();
}

void History::pass(std::uint64_t generation, Moment moment) {
  moments_.emplace(generation, std::move(moment));
  thin();
}

void History::thin() {
  while (moments_.size() > most_moments || (bytes_of(moments_) > most_bytes_ && moments_.size() > 2)) {
    // Every second one of the older half that follows from those before; then whatever is second
    std::size_t dropped = 0, place = 0;
    const std::size_t older = moments_.size() / 2;
    for (auto moment = std::next(moments_.begin()); moment != moments_.end() && place < older; ++place) {
      const bool drop = place % 2 == 0 && !moment->second.drawn;
      moment = drop ? moments_.erase(moment) : std::next(moment);
      dropped += drop;
    }
    if (dropped == 0) {
      moments_.begin()->second.gap = true;
      moments_.erase(std::next(moments_.begin()));
    }
  }
}

std::map<std::uint64_t, Moment>::const_iterator History::before(std::uint64_t generation) const {
  const auto later = moments_.upper_bound(generation);
  if (later == moments_.begin()) return later;
  const auto found = std::prev(later);
  return found->second.gap && found->first < generation && later != moments_.end() ? later : found;
}

std::optional<std::uint64_t> History::next_drawn(std::uint64_t generation) {
  const auto later = moments_.upper_bound(generation);
  if (later != moments_.begin() && std::prev(later)->second.gap) {
    moments_.erase(later, moments_.end());
    return std::nullopt;
  }
  for (auto moment = later; moment != moments_.end(); ++moment) {
    if (moment->second.drawn) return moment->first;
  }
  return std::nullopt;
}

void History::remember(Moment moment) {
  undone_.push_back(std::move(moment));
  while (undone_.size() > most_undone || (bytes_of(undone_) > most_bytes_ && undone_.size() > 1))
    undone_.pop_front();
}

Moment History::undo() {
  Moment last = std::move(undone_.back());
  undone_.pop_back();
  return last;
}

}  // namespace app
