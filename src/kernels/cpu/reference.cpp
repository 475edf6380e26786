// SPDX-License-Identifier: MIT
// Reference implementation: a byte per cell, one cell after the other, eight neighbours added up, rule looked
// up; the nine cells together for rules that do not count. All other kernels are compared with this one; it
// is the fastest nowhere.
#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

// The nine cells as a number, row by row.
unsigned neighbourhood(const std::uint8_t* at, std::ptrdiff_t pitch) {
  unsigned cells = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) cells = cells << 1 | at[dy * pitch + dx];
  }
  return cells;
}

void step(const Block& block) {
  const auto* from = static_cast<const std::uint8_t*>(block.from);
  auto* to = static_cast<std::uint8_t*>(block.to);
  for (std::int64_t y = 0; y < block.height; ++y) {
    for (std::int64_t x = 0; x < block.width; ++x) {
      const std::uint8_t* at = from + y * block.pitch + x;
      if (block.table != nullptr) {
        const unsigned cells = neighbourhood(at, block.pitch);
        to[y * block.pitch + x] = block.table[cells / 64] >> cells % 64 & 1;
        continue;
      }
      int neighbours = 0;
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          if (dy != 0 || dx != 0) neighbours += at[dy * block.pitch + dx];
        }
      }
      const unsigned counts = *at != 0 ? block.rule.survival : block.rule.birth;
      to[y * block.pitch + x] = counts >> neighbours & 1;
    }
  }
}

BlockBinding bind(RuleMask) { return {.step = step}; }

}  // namespace

extern const Kernel cpu_reference;
constexpr Kernel cpu_reference = {
    .summary = "the definition: a byte per cell, neighbours counted one by one",
    .layout = Layout::bytes,
    .max_steps = 1,
    .supports = {.families = life_like | nine_cells},
    .contract = BlockContract{.bind = bind},
};

}  // namespace moorea::kernels
