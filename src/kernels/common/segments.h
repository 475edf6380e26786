// SPDX-License-Identifier: MIT
// How the strided kernels of GPUs cut a world: rows into segments, which are laid end to end, each between
// its neighbours' vectors, and these into strips.
#ifndef MOOREA_KERNELS_STEP_SEGMENTS_H
#define MOOREA_KERNELS_STEP_SEGMENTS_H

#include <algorithm>
#include <cstdint>

namespace moorea::kernels {

/// What is to be cut.
struct SegmentedWorld {
  std::int64_t height = 0;   ///< rows
  std::int64_t vectors = 0;  ///< of a segment's row with its neighbours on both sides
  std::int64_t needed = 0;   ///< of these, in the last segment, from the first strip's first useful one on
  std::int64_t useful = 0;   ///< vectors that a strip makes
};

struct Segments {
  std::int64_t number = 1, rows = 2;  ///< the rows of a segment are even
  std::int64_t strips = 1;
};

constexpr std::int64_t many_rows = 256, fewest_rows = 16;

/// A strip does as many rows as make the device busy twice, where these are many: the second time evens out
/// who was slow the first time; else once, for a strip begins with rows of its neighbours.
inline Segments cut_into_segments(const SegmentedWorld& world, std::int64_t strips_at_once) {
  const auto rows_for = [&](std::int64_t waves) {
    const std::int64_t beside_first = strips_at_once * waves * world.useful - world.needed;
    const std::int64_t segments = beside_first < 0 ? 1 : beside_first / world.vectors + 1;
    const std::int64_t rows = (world.height + segments - 1) / segments;
    return rows + rows % 2;
  };
  Segments cut;
  cut.rows = rows_for(2);
  if (cut.rows < many_rows) cut.rows = rows_for(1);
  cut.rows = std::max(cut.rows, fewest_rows);
  cut.number = (world.height + cut.rows - 1) / cut.rows;
  cut.strips = ((cut.number - 1) * world.vectors + world.needed + world.useful - 1) / world.useful;
  return cut;
}

}  // namespace moorea::kernels

#endif
