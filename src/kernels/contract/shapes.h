// SPDX-License-Identifier: MIT
// Types that several contracts share.
#pragma once

namespace moorea::kernels {

/// Size of a tile in cells; in the bits layout its width is a multiple of 64.
struct TileShape {
  int width = 0;
  int height = 0;
};

/// Threads of a CUDA thread block or work-items of an OpenCL work-group, or the cells of one of them, in
/// columns and rows.
struct BlockShape {
  int width = 0;
  int height = 0;
};

/// Report of a kernel about its tiles.
enum class Activity {
  none,
  reported,  ///< whether a cell of the tile changed; for statistics
  /// Like `reported`, and a tile is skipped if neither it nor its eight neighbours reported a change in the
  /// previous generation; `to` keeps its cells. This is exact if a kernel reports a difference from the
  /// previous generation, or a difference from the contents of `to`, two generations earlier.
  skipped,
};

}  // namespace moorea::kernels
