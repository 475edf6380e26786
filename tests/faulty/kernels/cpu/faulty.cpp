// SPDX-License-Identifier: MIT
// Faulty on purpose, for the tests of verify and bench: the cells of column 40 ignore the neighbour at their
// lower right. Refusing some rules is part of the test too.
#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

void step(const Block& block) {
  const auto* from = static_cast<const std::uint8_t*>(block.from);
  auto* to = static_cast<std::uint8_t*>(block.to);
  for (std::int64_t y = 0; y < block.height; ++y) {
    for (std::int64_t x = 0; x < block.width; ++x) {
      const std::uint8_t* at = from + y * block.pitch + x;
      const std::uint8_t* above = at - block.pitch;
      const std::uint8_t* below = at + block.pitch;
      const int neighbours =
          above[-1] + above[0] + above[1] + at[-1] + at[1] + below[-1] + below[0] + (x == 40 ? 0 : below[1]);
      to[y * block.pitch + x] = (*at != 0 ? block.rule.survival : block.rule.birth) >> neighbours & 1;
    }
  }
}

const char* refuses(RuleMask rule) { return rule.birth == 1 << 3 ? nullptr : "only rules with B3"; }

BlockBinding bind(RuleMask) { return {step}; }

}  // namespace

extern const Kernel cpu_faulty;
constexpr Kernel cpu_faulty = {
    .summary = "wrong on purpose",
    .layout = Layout::bytes,
    .max_steps = 1,
    .supports = {.refuses = refuses},
    .contract = BlockContract{.bind = bind},
};

}  // namespace moorea::kernels
