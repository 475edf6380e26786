// SPDX-License-Identifier: MIT
// Partition of a world for the strided GPU kernels: rows form segments; segments are concatenated, each with
// halo vectors on both sides, and the result is divided into strips.
#ifndef MOOREA_KERNELS_STEP_SEGMENTS_H
#define MOOREA_KERNELS_STEP_SEGMENTS_H

#include <algorithm>
#include <cstdint>

namespace moorea::kernels {

/// World to be partitioned.
struct SegmentedWorld {
  std::int64_t height = 0;   ///< rows
  std::int64_t vectors = 0;  ///< per row of a segment, including the halo on both sides
  std::int64_t needed = 0;   ///< vectors of the last segment, from the first strip's first useful one on
  std::int64_t useful = 0;   ///< vectors that a strip computes
};

struct Segments {
  std::int64_t number = 1, rows = 2;  ///< `rows` is even
  std::int64_t strips = 1;
};

constexpr std::int64_t many_rows = 256, fewest_rows = 16;

/// Chooses segments so that the strips fill the device twice if each segment then has at least `many_rows`
/// rows (the second wave of strips evens out slow ones of the first), otherwise once, because every strip
/// starts with redundant halo rows.
inline Segments cut_into_segments(const SegmentedWorld& world, std::int64_t strips_at_once) {
  const auto rows_for = [&](std::int64_t waves) {
    const std::int64_t after_first = strips_at_once * waves * world.useful - world.needed;
    const std::int64_t segments = after_first < 0 ? 1 : after_first / world.vectors + 1;
    const std::int64_t rows = (world.height + segments - 1) / segments;
    return rows + rows % 2;
  };
  Segments partition;
  partition.rows = rows_for(2);
  if (partition.rows < many_rows) partition.rows = rows_for(1);
  partition.rows = std::max(partition.rows, fewest_rows);
  partition.number = (world.height + partition.rows - 1) / partition.rows;
  partition.strips =
      ((partition.number - 1) * world.vectors + world.needed + world.useful - 1) / world.useful;
  return partition;
}

}  // namespace moorea::kernels

#endif
