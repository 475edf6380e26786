// SPDX-License-Identifier: MIT
// Soups in the memory of a GPU. The host has the cells of those that are to begin or have been edited, and
// reads those that are examined.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "census/soup_lanes.h"
#include "devices/gpu_lanes.h"

namespace moorea {

class GpuSoupLanes final : public SoupLanes {
 public:
  /// `search` advances planes of `size` columns and rows, a multiple of 64, and has a place for each lane.
  GpuSoupLanes(std::unique_ptr<GpuSearch> search, std::int64_t size);

  bool is_unchanged(int lane, const Position& at) const override;
  void read(const LaneSet& lanes) override;

 private:
  // Packed cells of a world: bit i of word j of a row is column 64 * j + i.
  using Words = std::span<std::uint64_t>;

  void put(int lane, CellList cells) override;
  void clear(int lane) override { edited_.remove(lane); }
  void advance_cells() override;
  void apply_edits();
  std::uint64_t& word_of(Words world, const Position& at) const {
    return world[static_cast<std::size_t>(at.y * words_a_row_ + at.x / 64)];
  }
  static std::uint64_t bit_of(const Position& at) { return std::uint64_t{1} << at.x % 64; }

  std::unique_ptr<GpuSearch> search_;
  std::int64_t words_a_row_;
  std::size_t words_;                                        // of a world
  LaneSet edited_;                                           // lanes whose cells are in edits_
  std::vector<std::vector<std::uint64_t>> edits_, changes_;  // by lane: new cells, and cells that differ
  std::vector<CellList> expected_;  // by lane: as expected_changes() before the last interval
  std::vector<std::uint32_t> active_groups_, no_groups_;
};

}  // namespace moorea
