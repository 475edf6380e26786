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

 private:
  void write(const Edits& edits) override;
  void read_cells(std::span<const int> lanes) override;
  void advance_cells() override;

  // Packed cells of worlds, one after the other: bit i of word j of a row is column 64 * j + i.
  using Words = std::vector<std::uint64_t>;
  std::size_t word_of(std::size_t world, const Position& at) const {
    return world * words_ + static_cast<std::size_t>(at.y * words_a_row_ + at.x / 64);
  }
  static std::uint64_t bit_of(const Position& at) { return std::uint64_t{1} << at.x % 64; }

  std::unique_ptr<GpuSearch> search_;
  std::int64_t words_a_row_;
  std::size_t words_;                // of a world
  std::vector<CellList> expected_;   // by lane: as expected_changes() before the last interval
  std::vector<std::size_t> number_;  // by lane: which of those that were read last
  Words now_, changes_;              // of those: their cells, and those that differ; the memory is used again
  Words edited_;                     // of those that write() copies
  std::vector<std::uint32_t> active_groups_, no_groups_;
};

}  // namespace moorea
