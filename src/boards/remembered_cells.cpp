// SPDX-License-Identifier: MIT
#include "boards/remembered_cells.h"

#include <algorithm>
#include <utility>

#include "boards/state_rows.h"
#include "model/memory.h"

namespace moorea {
namespace {

constexpr double max_share_of_memory = 0.1;
constexpr std::int64_t compared_words = 1 << 15;  // that are read at once

}  // namespace

bool RememberedCells::copy(const Board& board) {
  const Box box = board.world().box();
  const auto available = static_cast<double>(available_memory());
  const double bytes = grid_bytes(box.width, box.height) * digits_of(board.world().rule.states());
  if (bytes > max_share_of_memory * available) return false;
  cells_ = board.states(box);
  return true;
}

bool RememberedCells::are_those_of(const Board& board) {
  const Cells cells = std::exchange(cells_, Cells());
  const std::int64_t words = std::max<std::int64_t>(cells.plane(0).words_per_row(), 1) * cells.planes();
  const std::int64_t rows_at_once = std::max<std::int64_t>(1, compared_words / words);
  for (std::int64_t y = 0; y < cells.height(); y += rows_at_once) {
    const std::int64_t height = std::min(rows_at_once, cells.height() - y);
    const Cells now = board.states({0, y, cells.width(), height});
    for (int digit = 0; digit < now.planes(); ++digit) {
      const Grid& rows = now.plane(digit);
      if (!std::equal(rows.row(0), rows.row(height), cells.plane(digit).row(y))) return false;
    }
  }
  return true;
}

}  // namespace moorea
