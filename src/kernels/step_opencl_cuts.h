// SPDX-License-Identifier: MIT
// What host code knows of some OpenCL kernels, by the names of their lines "// @cut" and "// @refuses".
#ifndef MOOREA_KERNELS_STEP_OPENCL_CUTS_H
#define MOOREA_KERNELS_STEP_OPENCL_CUTS_H

#include <algorithm>

#include "kernels/kernel.h"

namespace moorea::kernels {

inline const char* power_of_two_width(const World& world, int) {
  return (world.width & (world.width - 1)) == 0 ? nullptr : "its worlds are a power of two wide";
}

// Segments of rows, laid end to end, are cut into strips of vectors, one for each work-group. A strip's edges
// are its neighbours' vectors, and the walk down a segment begins with its neighbours' rows: so there are no
// more segments than keep the device busy twice.
inline OpenClCut strided_cut(const World& world, int compute_units, BlockShape group) {
  constexpr int steps = 6, vectors_an_item = 4, sides = 8;
  constexpr std::int64_t items_a_unit = 256, fewest_rows = 16;
  const std::int64_t stride = (world.width + 31) / 32;
  const std::int64_t across = (stride + sides + steps + 3) / 4 * 4;  // vectors of a segment
  const std::int64_t useful = vectors_an_item * group.width - 2 * steps;
  if (useful <= 0) return {0, 0, 0};
  const std::int64_t wanted = 2 * std::int64_t{compute_units} * items_a_unit / group.width;
  const std::int64_t segments = std::max<std::int64_t>(1, wanted * useful / across);
  std::int64_t rows = std::max(fewest_rows, (world.height + segments - 1) / segments);
  rows += rows % 2;
  const std::int64_t vectors = ((world.height + rows - 1) / rows - 1) * across + stride + sides - steps;
  return {(vectors + useful - 1) / useful, rows, 0};
}

// Bands of rows, some for each core, since they are not equally fast.
inline OpenClCut strided_vector_cut(const World& world, int compute_units, BlockShape) {
  constexpr std::int64_t steps = 16, ring_rows = 16, bands_a_unit = 4, fewest_rows = 64;
  const std::int64_t stride = (world.width + 511) / 512;
  std::int64_t rows = std::max(
      fewest_rows, (world.height + bands_a_unit * compute_units - 1) / (bands_a_unit * compute_units));
  rows += rows % 2;
  const std::int64_t bands = (world.height + rows - 1) / rows;
  return {bands, rows, bands * (steps - 1) * ring_rows * (stride + 2) * 64};
}

}  // namespace moorea::kernels

#endif
