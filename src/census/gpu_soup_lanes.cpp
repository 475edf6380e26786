// SPDX-License-Identifier: MIT
#include "census/gpu_soup_lanes.h"

#include <algorithm>
#include <bit>

#include "devices/lane_difference.h"

namespace moorea {
namespace {

std::vector<std::uint32_t> places_of(const LaneSet& lanes) {
  const std::vector<int> list = lanes.lanes();
  return {list.begin(), list.end()};
}

}  // namespace

GpuSoupLanes::GpuSoupLanes(std::unique_ptr<GpuSearch> search, std::int64_t size)
    : SoupLanes(size, static_cast<int>(std::min<std::uint32_t>(search->places(), max_lanes))),
      search_(std::move(search)),
      words_a_row_(size / 64),
      words_(static_cast<std::size_t>(words_a_row_ * size)),
      edits_(static_cast<std::size_t>(lanes())),
      changes_(edits_.size()),
      expected_(edits_.size()),
      active_groups_(search_->places() / search_->worlds_a_group()),
      no_groups_(active_groups_.size()) {}

void GpuSoupLanes::put(int lane, CellList cells) {
  edited_.add(lane);
  std::vector<std::uint64_t>& world = edits_[static_cast<std::size_t>(lane)];
  world.assign(words_, 0);
  for (const Position& cell : cells) word_of(world, cell) |= bit_of(cell);
}

void GpuSoupLanes::apply_edits() {
  if (edited_.empty()) return;
  std::vector<std::uint64_t> worlds;
  for (const int lane : edited_.lanes()) {
    const std::vector<std::uint64_t>& world = edits_[static_cast<std::size_t>(lane)];
    worlds.insert(worlds.end(), world.begin(), world.end());
  }
  search_->fill(places_of(edited_), worlds);
  edited_ = {};
}

// The changes of followed ships are taken from those of the margin; if one has not flown as predicted, some
// remain or are added.
void GpuSoupLanes::advance_cells() {
  apply_edits();
  const std::vector<int> active = active_lanes().lanes();
  const std::uint32_t worlds = search_->worlds_a_group();
  std::ranges::fill(active_groups_, 0);
  for (const int lane : active) {
    const auto place = static_cast<std::uint32_t>(lane);
    active_groups_[place / worlds] |= 1u << place % worlds;
    expected_[place] = expected_changes(lane);
  }
  search_->advance({SoupWindow::interval, 0, 0}, active_groups_, no_groups_, no_groups_);
  const std::span<const LaneDifference> differences = search_->differences(SoupWindow::margin);
  const Box inner = Box{0, 0, size(), size()}.expanded(-SoupWindow::margin);
  for (const int lane : active) {
    const LaneDifference& difference = differences[static_cast<std::size_t>(lane)];
    std::uint64_t in_margin = difference.border;
    for (const Position& at : expected_[static_cast<std::size_t>(lane)])
      if (!inner.contains(at)) in_margin ^= cell_hash(at.x, at.y);
    set_change(lane, difference.cells, in_margin != 0);
  }
}

bool GpuSoupLanes::is_unchanged(int lane, const Position& at) const {
  const Position in_window = at - corner(lane);
  const std::vector<std::uint64_t>& changes = changes_[static_cast<std::size_t>(lane)];
  return (changes[static_cast<std::size_t>(in_window.y * words_a_row_ + in_window.x / 64)] &
          bit_of(in_window)) == 0;
}

void GpuSoupLanes::read(const LaneSet& lanes) {
  if (lanes.empty()) return;
  apply_edits();
  const std::vector<std::uint32_t> places = places_of(lanes);
  const std::vector<std::uint64_t> now = search_->worlds(places, GpuSearch::When::now),
                                   before = search_->worlds(places, GpuSearch::When::start);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto lane = static_cast<int>(places[i]);
    CellList& list = cells(lane);
    std::vector<std::uint64_t>& changes = changes_[places[i]];
    list.clear();
    changes.resize(words_);
    for (std::size_t w = 0; w < words_; ++w) {
      std::uint64_t left = now[i * words_ + w];
      changes[w] = left ^ before[i * words_ + w];
      const Position first = corner(lane) + Position{static_cast<std::int64_t>(w) % words_a_row_ * 64,
                                                     static_cast<std::int64_t>(w) / words_a_row_};
      for (; left != 0; left &= left - 1) list.push_back({first.x + std::countr_zero(left), first.y});
    }
    for (const Position& at : expected_[places[i]]) word_of(changes, at) ^= bit_of(at);
  }
}

}  // namespace moorea
