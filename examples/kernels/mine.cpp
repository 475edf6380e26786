// SPDX-License-Identifier: MIT
// A kernel of one's own in C++, as short as it gets: docs/your-own-kernel.md explains it line by line.
// @summary a byte per cell, rows one after the other
// @layout bytes
#include <moorea/kernel.h>
using namespace moorea::kernels;

extern "C" void advance(const Block& block) {
  const RuleMask rule =
      block.rule;  // what is written could be a part of the block, for all the compiler knows
  for (std::int64_t y = 0; y < block.height; ++y) {
    const auto* above = row_from<std::uint8_t>(block, y - 1);
    const auto* at = row_from<std::uint8_t>(block, y);
    const auto* below = row_from<std::uint8_t>(block, y + 1);
    auto* to = row_to<std::uint8_t>(block, y);
    for (std::int64_t x = 0; x < block.width; ++x) {
      const int neighbours = above[x - 1] + above[x] + above[x + 1] + at[x - 1] + at[x + 1] + below[x - 1] +
                             below[x] + below[x + 1];
      to[x] = static_cast<std::uint8_t>(next_cell_state(rule, at[x], neighbours));
    }
  }
}
