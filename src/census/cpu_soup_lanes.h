// SPDX-License-Identifier: MIT
// Soups in the lanes of a bit-sliced board: bit k of a vector is a cell of soup k.
#pragma once

#include <cstdint>
#include <span>

#include "census/soup_lanes.h"
#include "ensembles/lane_board.h"

namespace moorea {

class CpuSoupLanes final : public SoupLanes {
 public:
  CpuSoupLanes(const BoundKernel& kernel, const Rule& rule, std::int64_t size);

  bool is_unchanged(int lane, const Position& at) const override;

 private:
  void write(const Edits& edits) override;
  void read_cells(std::span<const int> lanes) override;
  void advance_cells() override;

  LaneBoard board_;
  LaneSnapshot earlier_;  // before the interval; afterwards cells that differ
};

}  // namespace moorea
