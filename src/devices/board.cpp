// SPDX-License-Identifier: MIT
#include "devices/board.h"

#include <algorithm>

#include "model/bits.h"

namespace moorea {
namespace {

// The live cells of a row in each of `columns` parts of `scale` cells.
void add_row(const std::uint64_t* row, std::int64_t words, std::int64_t columns, std::int64_t scale,
             std::uint32_t* squares) {
  for (std::int64_t i = 0; i < columns; ++i) {
    std::uint64_t sum = 0;
    for (std::int64_t x = i * scale, end = x + scale; x < end; x += 64)
      sum += popcount(cells_at(row, words, x) & tail_mask(std::min<std::int64_t>(end - x, 64)));
    squares[i] += static_cast<std::uint32_t>(sum);
  }
}

}  // namespace

std::vector<std::uint32_t> Board::density(const Raster& raster) const {
  constexpr std::int64_t cells_at_once = 1 << 26;
  const std::int64_t columns = raster.columns, scale = raster.scale, width = columns * scale;
  // Rows of cells, whichever squares they are of: a square may be larger than what is looked at at once
  const std::int64_t rows_at_once = std::max<std::int64_t>(1, cells_at_once / width);
  std::vector<std::uint32_t> squares(static_cast<std::size_t>(columns * raster.rows));
  for (std::int64_t top = 0, end = raster.rows * scale; top < end; top += rows_at_once) {
    const Grid part = window({raster.x, raster.y + top, width, std::min(rows_at_once, end - top)});
    for (std::int64_t y = 0; y < part.height(); ++y)
      add_row(part.row(y), part.words_per_row(), columns, scale,
              squares.data() + (top + y) / scale * columns);
  }
  return squares;
}

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
