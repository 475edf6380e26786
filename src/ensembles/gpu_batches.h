// SPDX-License-Identifier: MIT
// Batches of 64 worlds whose cells a GPU advances. The boards on the host are copies for everything else,
// which are updated when they are needed.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "devices/gpu_lanes.h"
#include "ensembles/lane_board.h"

namespace moorea {

class GpuBatches {
 public:
  GpuBatches(int device, int threads) : device_(device), threads_(threads) {}

  /// Adds the boards of a group of `worlds` worlds of one rule, 64 in each board, which must outlive this
  /// object.
  void add(const std::vector<LaneBoard*>& boards, std::uint64_t worlds);

  void advance(std::uint64_t generations);

  /// Whether the GPU counts worlds of this size.
  bool counts() const;
  /// Advances and counts: entry g * worlds + i of `populations` is that of world i of `worlds` after g + 1
  /// generations.
  void advance_counting(std::uint64_t generations, std::uint64_t worlds, std::uint64_t* populations);

  /// Makes the boards current, before they are read.
  void update_boards();
  /// Announces that the boards were changed; they are current.
  void boards_changed() { is_gpu_current_ = false; }

 private:
  struct Group {
    std::vector<LaneBoard*> boards;
    std::unique_ptr<GpuLanes> lanes;
    std::vector<std::uint64_t> staging;
    std::size_t array_words;
    std::uint64_t first, worlds;  // in the ensemble
  };

  void update_gpu();

  int device_, threads_;
  bool is_gpu_current_ = false, are_boards_current_ = true;
  std::vector<Group> groups_;
};

}  // namespace moorea
