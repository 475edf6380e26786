// SPDX-License-Identifier: MIT
// Correct but slow, for the tests of the contract: up to 64 generations per call, by the reference's method
// on a scratch block that shrinks by a cell at each side per generation.
#include <vector>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

void step(const Block& block) {
  const auto* from = static_cast<const std::uint64_t*>(block.from);
  auto* to = static_cast<std::uint64_t*>(block.to);
  const std::ptrdiff_t pitch = block.pitch / 8;
  const std::int64_t halo = block.steps, width = block.width + 2 * halo, height = block.height + 2 * halo;
  std::vector<std::uint8_t> now(static_cast<std::size_t>(width * height)), next(now.size());
  const auto at = [&](std::int64_t x, std::int64_t y) { return static_cast<std::size_t>(y * width + x); };
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      const std::int64_t column = x - halo;
      now[at(x, y)] = from[(y - halo) * pitch + (column >> 6)] >> (column & 63) & 1;
    }
  }
  for (std::int64_t margin = 1; margin <= halo; ++margin) {
    for (std::int64_t y = margin; y < height - margin; ++y) {
      for (std::int64_t x = margin; x < width - margin; ++x) {
        int neighbours = -now[at(x, y)];
        for (int dy = -1; dy <= 1; ++dy) {
          for (int dx = -1; dx <= 1; ++dx) neighbours += now[at(x + dx, y + dy)];
        }
        next[at(x, y)] = (now[at(x, y)] != 0 ? block.rule.survival : block.rule.birth) >> neighbours & 1;
      }
    }
    now.swap(next);
  }
  for (std::int64_t y = 0; y < block.height; ++y) {
    for (std::int64_t j = 0; j < (block.width + 63) / 64; ++j) {
      std::uint64_t word = ~std::uint64_t{0};  // garbage after the last cell, as the contract allows
      for (std::int64_t x = 64 * j; x < 64 * j + 64 && x < block.width; ++x) {
        if (now[at(x + halo, y + halo)] == 0) word &= ~(std::uint64_t{1} << (x & 63));
      }
      to[y * pitch + j] = word;
    }
  }
}

BlockBinding bind(RuleMask) { return {step}; }

}  // namespace

extern const Kernel cpu_several_steps;
constexpr Kernel cpu_several_steps = {
    .summary = "up to 64 generations per call",
    .layout = Layout::bits,
    .max_steps = 64,
    .contract = BlockContract{.bind = bind},
};

}  // namespace moorea::kernels
