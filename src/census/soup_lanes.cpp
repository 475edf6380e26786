// SPDX-License-Identifier: MIT
#include "census/soup_lanes.h"

#include <algorithm>

#include "census/lane_cells.h"

namespace moorea {

SoupLanes::SoupLanes(const BoundKernel& kernel, const Rule& rule, std::int64_t size)
    : world_{rule, Topology::plane, size, size},
      board_(world_, kernel),
      earlier_(world_, board_.lanes()),
      soups_(static_cast<std::size_t>(board_.lanes())),
      cells_(soups_.size()),
      changed_(soups_.size()) {
  for (int lane = board_.lanes(); lane-- > 0;) vacant_.push_back(lane);
}

void SoupLanes::add(LaneSoup soup, std::span<const Position> cells) {
  const int lane = vacant_.back();
  vacant_.pop_back();
  active_.add(lane);
  ++active_count_;
  soups_[static_cast<std::size_t>(lane)] = std::move(soup);
  replace(lane, cells);
}

void SoupLanes::replace(int lane, std::span<const Position> cells) {
  cleared_.add(lane);
  const Position corner = soup(lane).window.corner;
  for (const Position& cell : cells) edits_.push_back({lane, cell - corner});
}

void SoupLanes::remove(int lane) {
  cleared_.add(lane);
  active_.remove(lane);
  --active_count_;
  vacant_.push_back(lane);
}

void SoupLanes::apply_edits() {
  if (cleared_.empty()) return;
  const LaneView view = board_.cells();
  clear_lanes(view, cleared_);
  for (const Edit& edit : edits_) make_alive(view, edit.lane, edit.at);
  cleared_ = {};
  edits_.clear();
  board_.edited();
}

// Takes the changes that the followed ships make in the margin from the cells that differ; if one has not
// flown as predicted, some remain or are added.
void SoupLanes::expect_ships(int lane) {
  const LaneSoup& before = soup(lane);
  const Box window = before.window.box();
  for (const AwayCluster& ship : before.followed) {
    const std::uint64_t generations[] = {before.generation, before.generation + SoupWindow::interval};
    const bool is_inside = std::ranges::all_of(generations, [&](std::uint64_t g) {
      return before.window.outer_depth(ship.swept(g).box) >= SoupWindow::margin;
    });
    if (is_inside) continue;
    for (const std::uint64_t g : generations)
      for (const Position& cell : ship.cells(g))
        if (window.contains(cell)) toggle(earlier_.view(), lane, cell - window.position());
  }
}

void SoupLanes::advance() {
  apply_edits();
  board_.save(earlier_);
  board_.advance(SoupWindow::interval);
  changed_ = board_.count_differing(earlier_);
  for (const int lane : active_.lanes()) expect_ships(lane);
  const LaneSet at_border = lanes_at_border(earlier_.view(), SoupWindow::margin);
  changed_margin_ = active_.without(active_.without(at_border));
  for (const int lane : active_.lanes()) soup(lane).generation += SoupWindow::interval;
}

bool SoupLanes::is_unchanged(int lane, const Position& at) const {
  const Position in_window = at - soups_[static_cast<std::size_t>(lane)].window.corner;
  return !is_alive(earlier_.view(), lane, in_window);
}

void SoupLanes::read(const LaneSet& lanes) {
  apply_edits();
  for (const int lane : lanes.lanes()) cells(lane).clear();
  append_live_cells(board_.cells(), lanes, cells_);
  for (const int lane : lanes.lanes()) {
    for (Position& cell : cells(lane)) cell = cell + soup(lane).window.corner;
  }
}

}  // namespace moorea
