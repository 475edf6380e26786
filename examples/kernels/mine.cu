// SPDX-License-Identifier: MIT
// A kernel of one's own in CUDA, a thread a cell: docs/your-own-kernel.md explains it.
// @summary a byte and a thread a cell
// @layout bytes
// @block 32x8
#include <moorea/kernel.h>
using namespace moorea::kernels;

extern "C" __global__ void advance(Block block) {
  const std::int64_t x = first_column_of_thread(), y = first_row_of_thread();
  if (x >= block.width || y >= block.height) return;
  const auto* above = row_from<std::uint8_t>(block, y - 1) + x;
  const auto* at = row_from<std::uint8_t>(block, y) + x;
  const auto* below = row_from<std::uint8_t>(block, y + 1) + x;
  const int neighbours = above[-1] + above[0] + above[1] + at[-1] + at[1] + below[-1] + below[0] + below[1];
  row_to<std::uint8_t>(block, y)[x] = next_cell_state(block.rule, at[0], neighbours);
}
