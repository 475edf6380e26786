// SPDX-License-Identifier: MIT
#include "boards/board_queue.h"

#include "boards/board.h"
#include "model/bits.h"

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

void read_rows(Board& board, std::int64_t y, std::int64_t rows, std::uint64_t* to) {
  if (board.queue() != nullptr) return board.queue()->read_rows(y, rows, to);
  const std::int64_t width = board.world().width;
  board.read({0, y, width, rows}, {to, words_for(width), width, rows});
}

void write_rows(Board& board, std::int64_t y, std::int64_t rows, const std::uint64_t* from) {
  if (board.queue() != nullptr) return board.queue()->write_rows(y, rows, from);
  const std::int64_t width = board.world().width;
  board.write({from, words_for(width), width, rows}, {0, y}, PasteMode::replace);
}

void finish(Board& board) {
  if (board.queue() != nullptr) board.queue()->finish();
}

RowMemory make_row_memory(Board& board, std::size_t words) {
  if (board.queue() != nullptr) return board.queue()->make_row_memory(words, nullptr);
  return {std::make_unique<std::uint64_t[]>(words), RowPath::main_memory};
}

}  // namespace moorea
