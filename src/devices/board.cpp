// SPDX-License-Identifier: MIT
#include "devices/board.h"

#include <algorithm>

#include "model/bits.h"

namespace moorea {

std::uint64_t Board::advance_comparing(const Box& world) {
  const Grid before = window(world);
  advance(1);
  // Some rows at a time, so that two worlds beside the board's own are never there
  constexpr std::int64_t rows = 256;
  std::uint64_t changed = 0;
  for (std::int64_t top = 0; top < world.height; top += rows) {
    const Grid now = window({world.x, world.y + top, world.width, std::min(rows, world.height - top)});
    for (std::int64_t y = 0; y < now.height(); ++y) {
      for (std::int64_t j = 0; j < now.words_per_row(); ++j)
        changed += popcount(now.row(y)[j] ^ before.row(top + y)[j]);
    }
  }
  return changed;
}

}  // namespace moorea
