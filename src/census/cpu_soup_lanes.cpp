// SPDX-License-Identifier: MIT
#include "census/cpu_soup_lanes.h"

#include <variant>
#include <vector>

#include "census/lane_cells.h"

namespace moorea {

CpuSoupLanes::CpuSoupLanes(const BoundKernel& kernel, const Rule& rule, std::int64_t size)
    : SoupLanes(size, std::get<kernels::StridedContract>(kernel.kernel->contract).lanes),
      board_({rule, Topology::plane, size, size}, kernel),
      earlier_(board_.world(), board_.lanes()) {}

void CpuSoupLanes::write(const Edits& edits) {
  LaneSet cleared;
  for (const auto& [lane, cells] : edits) cleared.add(lane);
  const LaneView view = board_.cells();
  clear_lanes(view, cleared);
  for (const auto& [lane, cells] : edits)
    for (const Position& cell : cells) make_alive(view, lane, cell);
  board_.edited();
}

// If a followed ship has not flown as predicted, some changes remain or are added.
void CpuSoupLanes::advance_cells() {
  board_.save(earlier_);
  board_.advance(SoupWindow::interval);
  const std::vector<std::uint64_t> changed = board_.count_differing(earlier_);
  const std::vector<int> active = active_lanes();
  for (const int lane : active) {
    for (const Position& at : expected_changes(lane)) toggle(earlier_.view(), lane, at);
  }
  const LaneSet at_border = lanes_at_border(earlier_.view(), SoupWindow::margin);
  for (const int lane : active)
    set_change(lane, changed[static_cast<std::size_t>(lane)], at_border.has(lane));
}

bool CpuSoupLanes::is_unchanged(int lane, const Position& at) const {
  return !is_alive(earlier_.view(), lane, at - corner(lane));
}

void CpuSoupLanes::read_cells(std::span<const int> lanes) {
  LaneSet set;
  for (const int lane : lanes) {
    set.add(lane);
    cells(lane).clear();
  }
  append_live_cells(board_.cells(), set, lists());
  for (const int lane : lanes) {
    for (Position& cell : cells(lane)) cell = cell + corner(lane);
  }
}

}  // namespace moorea
