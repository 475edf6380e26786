// SPDX-License-Identifier: MIT
#include "devices/board.h"

#include "model/bits.h"

namespace moorea {

std::uint64_t Board::advance_comparing(const Box& world) {
  const Grid before = window(world);
  advance(1);
  const Grid now = window(world);
  std::uint64_t changed = 0;
  for (std::int64_t y = 0; y < now.height(); ++y) {
    for (std::int64_t j = 0; j < now.words_per_row(); ++j)
      changed += popcount(now.row(y)[j] ^ before.row(y)[j]);
  }
  return changed;
}

}  // namespace moorea
