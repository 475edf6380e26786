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

Binding bind(RuleMask rule, const DeviceTraits&) {
  if (rule.birth != 1 << 3) return {nullptr, "only rules with B3", 0};
  return {step, nullptr, 0};
}

}  // namespace

extern const Kernel cpu_faulty;
const Kernel cpu_faulty = {"wrong on purpose", Layout::bytes, 1, bind};

}  // namespace moorea::kernels
