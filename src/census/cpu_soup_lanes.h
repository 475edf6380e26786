// SPDX-License-Identifier: MIT
// Soups in the lanes of a bit-sliced board: bit k of a vector is a cell of soup k.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "census/soup_lanes.h"
#include "ensembles/lane_board.h"

namespace moorea {

class CpuSoupLanes final : public SoupLanes {
 public:
  CpuSoupLanes(const BoundKernel& kernel, const Rule& rule, std::int64_t size);

  bool is_unchanged(int lane, const Position& at) const override;
  void read(std::span<const int> lanes) override;

 private:
  void put(int lane, CellList cells) override;
  void clear(int lane) override;
  void advance_cells() override;
  void apply_edits();

  LaneBoard board_;
  LaneSnapshot earlier_;  // before the interval; afterwards cells that differ
  LaneSet cleared_;       // lanes that apply_edits() clears
  struct Edit {
    int lane;
    Position at;  // in the window
  };
  std::vector<Edit> edits_;
};

}  // namespace moorea
