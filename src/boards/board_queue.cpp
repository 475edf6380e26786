// SPDX-License-Identifier: MIT
#include "boards/board_queue.h"

#include <algorithm>

#include "boards/board.h"
#include "boards/state_rows.h"
#include "model/bits.h"
#include "moorea/cells.h"

namespace moorea {

const char* to_string(RowPath path) {
  switch (path) {
    case RowPath::page_locked:
      return "page-locked memory";
    case RowPath::same_device:
      return "device memory";
    case RowPath::peer:
      return "peer memory";
    default:
      return "main memory";
  }
}

void enqueue(Board& board, std::uint64_t generations) {
  if (board.queue() != nullptr) return board.queue()->enqueue(generations, {0, board.world().height});
  board.advance(generations);
}

std::size_t words_of_rows(const WorldSpec& world, std::int64_t rows) {
  return static_cast<std::size_t>(digits_of(world.rule.states()) * words_for(world.width) * rows);
}

void read_rows(Board& board, std::int64_t y, std::int64_t rows, std::uint64_t* to) {
  if (board.queue() != nullptr) return board.queue()->read_rows(y, rows, to);
  const std::int64_t width = board.world().width;
  const Box box = {0, y, width, rows};
  if (board.world().rule.states() == 2) return board.read(box, {to, words_for(width), width, rows});
  const Cells cells = board.states(box);
  for (int digit = 0; digit < cells.planes(); ++digit) {
    const Grid& plane = cells.plane(digit);
    for (std::int64_t row = 0; row < rows; ++row) to = std::copy_n(plane.row(row), plane.words_per_row(), to);
  }
}

void write_rows(Board& board, std::int64_t y, std::int64_t rows, const std::uint64_t* from) {
  if (board.queue() != nullptr) return board.queue()->write_rows(y, rows, from);
  const std::int64_t width = board.world().width;
  const int states = board.world().rule.states();
  if (states == 2) {
    return board.write({from, words_for(width), width, rows}, {0, y}, PasteMode::replace);
  }
  Cells cells(width, rows, states);
  for (int digit = 0; digit < cells.planes(); ++digit) {
    Grid& plane = cells.plane(digit);
    for (std::int64_t row = 0; row < rows; ++row) {
      std::copy_n(from, plane.words_per_row(), plane.row(row));
      from += plane.words_per_row();
    }
  }
  board.write_states(cells, {0, y});
}

void finish(Board& board) {
  if (board.queue() != nullptr) board.queue()->finish();
}

RowMemory make_row_memory(Board& board, std::size_t words) {
  if (board.queue() != nullptr) return board.queue()->make_row_memory(words, nullptr);
  return {std::make_unique<std::uint64_t[]>(words), RowPath::main_memory};
}

}  // namespace moorea
