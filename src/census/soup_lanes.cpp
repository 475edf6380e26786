// SPDX-License-Identifier: MIT
#include "census/soup_lanes.h"

#include <algorithm>

namespace moorea {

SoupLanes::SoupLanes(std::int64_t size, int lanes)
    : size_(size),
      soups_(static_cast<std::size_t>(lanes)),
      cells_(soups_.size()),
      is_active_(soups_.size()),
      has_changed_margin_(soups_.size()),
      changed_(soups_.size()) {
  for (int lane = lanes; lane-- > 0;) vacant_.push_back(lane);
}

void SoupLanes::add(LaneSoup soup, std::span<const Position> cells) {
  const int lane = vacant_.back();
  vacant_.pop_back();
  is_active_[static_cast<std::size_t>(lane)] = true;
  ++active_count_;
  soups_[static_cast<std::size_t>(lane)] = std::move(soup);
  replace(lane, cells);
}

void SoupLanes::replace(int lane, std::span<const Position> cells) {
  CellList in_window(cells.begin(), cells.end());
  for (Position& cell : in_window) cell = cell - corner(lane);
  edits_[lane] = std::move(in_window);
}

void SoupLanes::remove(int lane) {
  edits_[lane].clear();
  is_active_[static_cast<std::size_t>(lane)] = false;
  --active_count_;
  vacant_.push_back(lane);
}

std::vector<int> SoupLanes::active_lanes() const {
  std::vector<int> active;
  for (int lane = 0; lane < lanes(); ++lane)
    if (is_active_[static_cast<std::size_t>(lane)]) active.push_back(lane);
  return active;
}

CellList SoupLanes::expected_changes(int lane) const {
  CellList changes;
  const LaneSoup& before = soups_[static_cast<std::size_t>(lane)];
  const Box window = before.window.box();
  for (const AwayCluster& ship : before.followed) {
    const std::uint64_t generations[] = {before.generation, before.generation + SoupWindow::interval};
    const bool is_inside = std::ranges::all_of(generations, [&](std::uint64_t g) {
      return before.window.outer_depth(ship.swept(g).box) >= SoupWindow::margin;
    });
    if (is_inside) continue;
    for (const std::uint64_t g : generations)
      for (const Position& cell : ship.cells(g))
        if (window.contains(cell)) changes.push_back(cell - window.position());
  }
  return changes;
}

void SoupLanes::set_change(int lane, std::uint64_t cells, bool in_margin) {
  changed_[static_cast<std::size_t>(lane)] = cells;
  has_changed_margin_[static_cast<std::size_t>(lane)] = in_margin;
}

void SoupLanes::apply_edits() {
  if (edits_.empty()) return;
  write(edits_);
  edits_.clear();
}

void SoupLanes::read(std::span<const int> lanes) {
  apply_edits();
  read_cells(lanes);
}

void SoupLanes::advance() {
  apply_edits();
  advance_cells();
  for (const int lane : active_lanes()) soup(lane).generation += SoupWindow::interval;
}

}  // namespace moorea
