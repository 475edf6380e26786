// SPDX-License-Identifier: MIT
// Choice of the boards on which soups are advanced together.
#include <algorithm>

#include "census/gpu_soup_lanes.h"
#include "census/soup_lanes.h"

namespace moorea {

SoupBoards soup_boards(const Rule& rule, int gpu, std::uint64_t soups) {
  // A world of this size is in the registers of a warp; one size, as larger windows take no time of the CPU
  constexpr std::int64_t size = 256;
  // Many, so that calls of the driver take little time for each; the last ones of a census do not occupy all
  constexpr std::uint64_t min_gpu_lanes = 256, max_gpu_lanes = 4096;
  const std::uint64_t lanes = std::clamp(soups / 4, min_gpu_lanes, max_gpu_lanes);
  return {{size}, [=](std::int64_t) {
            return std::make_unique<GpuSoupLanes>(
                make_gpu_search(gpu, {rule, Topology::plane, size, size}, lanes), size);
          }};
}

}  // namespace moorea
