// SPDX-License-Identifier: MIT
// Contract of CPU kernels that advance blocks from one buffer to the other, in the layouts bytes and bits.
// moorea/kernel.h describes the block and its halo.
#pragma once

#include "kernels/contract/shapes.h"
#include "moorea/kernel.h"

namespace moorea::kernels {

/// Advances a block. Blocks of one buffer that share no row of `to` may run concurrently.
using Step = void (*)(const Block& block);

struct BlockBinding {
  Step step = nullptr;
  Step wide_step = nullptr;  ///< `step` with wider vectors, if BlockContract::wide_share is not 0
};

struct BlockContract {
  BlockBinding (*bind)(RuleMask rule) = nullptr;
  double operations_per_word = 0;  ///< logic and shift operations per 64 cells and generation; 0: unknown
  /// Default tile of kernels whose blocks are tiles; 0 x 0: a block is a band of rows.
  TileShape tile = {};
  /// The kernel joins the world's edges itself: no halo is filled, and it may read any cell of the world of
  /// `from`. 64 bytes on both sides of a row may be read but are undefined.
  bool wraps = false;
  /// Kernels with tiles and two vector widths: default share of the threads that call `wide_step`, spread
  /// evenly over the team. 0: there is no `wide_step`.
  double wide_share = 0;
  bool plane_steps = false;            ///< cells beyond a plane's edges stay dead in calls of several steps
  Activity activity = Activity::none;  ///< reported through Block::changed
};

}  // namespace moorea::kernels
