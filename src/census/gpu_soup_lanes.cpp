// SPDX-License-Identifier: MIT
#include "census/gpu_soup_lanes.h"

#include <algorithm>
#include <bit>

#include "devices/lane_difference.h"

namespace moorea {

GpuSoupLanes::GpuSoupLanes(std::unique_ptr<GpuSearch> search, std::int64_t size)
    : SoupLanes(size, static_cast<int>(search->places())),
      search_(std::move(search)),
      words_a_row_(size / 64),
      words_(static_cast<std::size_t>(words_a_row_ * size)),
      expected_(search_->places()),
      number_(search_->places()),
      active_groups_(search_->places() / search_->worlds_a_group()),
      no_groups_(active_groups_.size()) {}

void GpuSoupLanes::write(const Edits& edits) {
  std::vector<std::uint32_t> places;
  edited_.assign(edits.size() * words_, 0);
  for (const auto& [lane, cells] : edits) {
    for (const Position& cell : cells) edited_[word_of(places.size(), cell)] |= bit_of(cell);
    places.push_back(static_cast<std::uint32_t>(lane));
  }
  search_->fill(places, edited_);
}

// The changes of followed ships are taken from those of the margin; if one has not flown as predicted, some
// remain or are added.
void GpuSoupLanes::advance_cells() {
  const std::vector<int> active = active_lanes();
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
  return (changes_[word_of(number_[static_cast<std::size_t>(lane)], in_window)] & bit_of(in_window)) == 0;
}

void GpuSoupLanes::read_cells(std::span<const int> lanes) {
  if (lanes.empty()) return;
  const std::vector<std::uint32_t> places(lanes.begin(), lanes.end());
  search_->read(places, GpuSearch::When::now, now_);
  search_->read(places, GpuSearch::When::start, changes_);
  for (std::size_t i = 0; i < places.size(); ++i) {
    CellList& list = cells(lanes[i]);
    list.clear();
    number_[places[i]] = i;
    const Position first = corner(lanes[i]);
    for (std::size_t w = 0; w < words_; ++w) {
      std::uint64_t left = now_[i * words_ + w];
      changes_[i * words_ + w] ^= left;
      const std::int64_t y = static_cast<std::int64_t>(w) / words_a_row_,
                         x = static_cast<std::int64_t>(w) % words_a_row_ * 64;
      for (; left != 0; left &= left - 1) list.push_back(first + Position{x + std::countr_zero(left), y});
    }
    for (const Position& at : expected_[places[i]]) changes_[word_of(i, at)] ^= bit_of(at);
  }
}

}  // namespace moorea
