// SPDX-License-Identifier: MIT
// Host functions named in the "// @partition" and "// @refuses" lines of OpenCL kernels.
#ifndef MOOREA_KERNELS_STEP_OPENCL_PARTITION_H
#define MOOREA_KERNELS_STEP_OPENCL_PARTITION_H

#include <algorithm>

#include "kernels/common/segments.h"
#include "kernels/kernel.h"

namespace moorea::kernels {

inline const char* power_of_two_width(const World& world) {
  return (world.width & (world.width - 1)) == 0 ? nullptr : "its worlds are a power of two wide";
}

// Rules of blocks: the columns of a word's bits need the same parity.
inline const char* odd_distance(const World& world) {
  return (world.width + 31) / 32 % 2 == 0
             ? nullptr
             : "the 32nd part of its worlds' width, rounded up, is even: choose a multiple of 64";
}

// `halo` is the HALO of opencl/strided_rows.h. Strips of 32 work-items if these shuffle, see
// opencl/strided_walk.h; otherwise of a work-group.
inline OpenClPartition partition_walk(const World& world, const OpenClTraits& device, BlockShape group,
                                      int halo) {
  constexpr int vectors_an_item = 4, items_a_unit = 256;
  const int sides = halo % vectors_an_item == 0 ? halo : 8;
  const int granularity = halo % vectors_an_item == 0 ? 8 : vectors_an_item;
  const int lanes = device.compute_capability >= 80 && group.width % 32 == 0 ? 32 : group.width;
  const std::int64_t stride = (world.width + 31) / 32;
  SegmentedWorld segmented;
  segmented.height = world.height;
  segmented.vectors = (stride + sides + halo + granularity - 1) / granularity * granularity;
  segmented.needed = stride + sides - halo;
  segmented.useful = vectors_an_item * lanes - 2 * halo;
  if (segmented.useful <= 0) return {0, 0, 0};
  const int strips_a_group = group.width / lanes;
  const Segments partition =
      cut_into_segments(segmented, std::int64_t{device.compute_units} * items_a_unit / lanes);
  return {(partition.strips + strips_a_group - 1) / strips_a_group, partition.rows, 0};
}

inline OpenClPartition partition_strided(const World& world, const OpenClTraits& device, BlockShape group) {
  return partition_walk(world, device, group, 6);
}

inline OpenClPartition partition_strided_blocks(const World& world, const OpenClTraits& device,
                                                BlockShape group) {
  return partition_walk(world, device, group, 8);
}

inline OpenClPartition partition_strided_states(const World& world, const OpenClTraits& device,
                                                BlockShape group) {
  return partition_walk(world, device, group, 4);
}

// Bands of rows, several per core, because cores are not equally fast.
inline OpenClPartition partition_strided_vector(const World& world, const OpenClTraits& device, BlockShape) {
  constexpr std::int64_t steps = 16, ring_rows = 16, bands_a_unit = 4, min_rows = 64;
  const std::int64_t stride = (world.width + 511) / 512;
  const std::int64_t wanted = bands_a_unit * device.compute_units;
  std::int64_t rows = std::max(min_rows, (world.height + wanted - 1) / wanted);
  rows += rows % 2;
  const std::int64_t bands = (world.height + rows - 1) / rows;
  return {bands, rows, bands * (steps - 1) * ring_rows * (stride + 2) * 64};
}

}  // namespace moorea::kernels

#endif
