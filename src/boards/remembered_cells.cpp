// SPDX-License-Identifier: MIT
#include "boards/remembered_cells.h"

#include <algorithm>
#include <utility>

#include "model/memory.h"

namespace moorea {
namespace {

constexpr double max_share_of_memory = 0.1;
constexpr std::int64_t compared_words = 1 << 15;  // that are read at once

}  // namespace

bool RememberedCells::copy(const Board& board) {
  const Box box = board.world().box();
  const auto available = static_cast<double>(available_memory());
  if (grid_bytes(box.width, box.height) > max_share_of_memory * available) return false;
  cells_ = board.window(box);
  return true;
}

bool RememberedCells::are_those_of(const Board& board) {
  const Grid cells = std::exchange(cells_, Grid());
  const std::int64_t rows_at_once =
      std::max<std::int64_t>(1, compared_words / std::max<std::int64_t>(cells.words_per_row(), 1));
  for (std::int64_t y = 0; y < cells.height(); y += rows_at_once) {
    const std::int64_t height = std::min(rows_at_once, cells.height() - y);
    const Grid now = board.window({0, y, cells.width(), height});
    if (!std::equal(now.row(0), now.row(height), cells.row(y))) return false;
  }
  return true;
}

}  // namespace moorea
