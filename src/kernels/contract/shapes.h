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
  /// Like `reported`; in addition a tile is skipped, and its cells in `to` remain, if neither it nor its
  /// eight neighbours reported a change in the previous generation. This is exact if every report compares
  /// the new cells with the previous generation, or if every one compares them with the previous contents of
  /// `to`.
  skipped,
};

}  // namespace moorea::kernels
