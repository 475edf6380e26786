// SPDX-License-Identifier: MIT
// Reference implementation of rules of blocks: a byte per cell, each cell's block looked up. The other
// kernels of such rules are compared with it.
#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cpu/states/bytes.h"

void step(const StateRows& rows) {
  for (std::int64_t y = 0; y < 2 * rows.pairs; ++y) {
    const auto* const from = reinterpret_cast<const std::uint8_t*>(rows.from + (y + 1) * rows.from_row);
    auto* const to = reinterpret_cast<std::uint8_t*>(rows.to + y * rows.to_row);
    // Of the cell in its block: 1 if it is one of the southern or eastern ones
    const int south = (y % 2 == 0) == rows.blocks.from_first_row ? 0 : 1;
    for (std::int64_t x = 0; x < rows.columns; ++x) {
      const int east = (x % 2 == 0) == rows.blocks.from_first_column ? 0 : 1;
      const std::uint8_t* const corner = from - south * rows.from_row + x - east;
      const int block =
          corner[0] | corner[1] << 1 | corner[rows.from_row] << 2 | corner[rows.from_row + 1] << 3;
      to[x] = rows.blocks.next[block] >> (2 * south + east) & 1;
    }
  }
  fill_byte_halo(rows, 2 * rows.pairs);
}

StatesBinding bind(RuleMask) { return {.step = step, .fill_halo_columns = fill_byte_halo}; }

}  // namespace

extern const Kernel cpu_blocks_reference;
constexpr Kernel cpu_blocks_reference = {
    .summary = "rules of blocks, the definition: a byte per cell, the block of each looked up",
    .layout = Layout::bytes,
    .max_steps = 1,
    .supports = {.families = blocks},
    .contract = StatesContract{.bind = bind, .lanes = 1},
};

}  // namespace moorea::kernels
