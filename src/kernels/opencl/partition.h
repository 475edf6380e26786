// SPDX-License-Identifier: MIT
// What host code knows of some OpenCL kernels, by the names of their lines "// @cut" and "// @refuses".
#ifndef MOOREA_KERNELS_STEP_OPENCL_CUTS_H
#define MOOREA_KERNELS_STEP_OPENCL_CUTS_H

#include <algorithm>

#include "kernels/common/segments.h"
#include "kernels/kernel.h"

namespace moorea::kernels {

inline const char* power_of_two_width(const World& world, int) {
  return (world.width & (world.width - 1)) == 0 ? nullptr : "its worlds are a power of two wide";
}

// Strips of 32 work-items where these shuffle, see opencl/strided; else a work-group is a strip.
inline OpenClCut strided_cut(const World& world, const OpenClTraits& device, BlockShape group) {
  constexpr int steps = 6, vectors_an_item = 4, sides = 8, items_a_unit = 256;
  const int lanes = device.compute_capability >= 80 && group.width % 32 == 0 ? 32 : group.width;
  const std::int64_t stride = (world.width + 31) / 32;
  SegmentedWorld segmented;
  segmented.height = world.height;
  segmented.vectors = (stride + sides + steps + 3) / 4 * 4;
  segmented.needed = stride + sides - steps;
  segmented.useful = vectors_an_item * lanes - 2 * steps;
  if (segmented.useful <= 0) return {0, 0, 0};
  const int strips_a_group = group.width / lanes;
  const Segments cut =
      cut_into_segments(segmented, std::int64_t{device.compute_units} * items_a_unit / lanes);
  return {(cut.strips + strips_a_group - 1) / strips_a_group, cut.rows, 0};
}

// Bands of rows, some for each core, since they are not equally fast.
inline OpenClCut strided_vector_cut(const World& world, const OpenClTraits& device, BlockShape) {
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
