// SPDX-License-Identifier: MIT
// Boards whose device works by itself: calls put work into a queue of the device and return before it is
// done, so that parts of a divided world pass rows to each other without a thread that waits for each of
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "boards/queue_link.h"
#include "moorea/world_spec.h"

namespace moorea {

/// A moment in the work of a queue, once it has been marked there. It may be marked again.
class QueueMark {
 public:
  virtual ~QueueMark() = default;
  /// Returns when the queue has got there; at once if it was never marked.
  virtual void wait() const = 0;
  /// Whether wait() would return at once.
  virtual bool is_reached() const = 0;
  /// Seconds between two moments that the same queue has passed.
  virtual double seconds_since(const QueueMark& earlier) const = 0;
};

/// The memory through which rows pass from one part of a world to another.
enum class RowPath {
  main_memory,  ///< copied by the CPU
  page_locked,  ///< main memory that a device reads and writes by itself
  same_device,  ///< memory of the device that both parts are on
  peer          ///< memory of the reader's device, to which the writer's device stores
};

const char* to_string(RowPath path);

struct RowMemory {
  std::shared_ptr<std::uint64_t[]> words;
  RowPath path = RowPath::main_memory;
};

/// Rows `first` to `end` - 1.
struct RowRange {
  std::int64_t first = 0, end = 0;
};

/// The queue of a board. Rows pass as words_of_rows() describes. Every function may throw Error (run) for
/// work that was put into the queue before.
class BoardQueue {
 public:
  virtual ~BoardQueue() = default;

  /// As Board::advance(). Afterwards only the rows `needed` must be exact; the others may hold any cells.
  virtual void enqueue(std::uint64_t generations, RowRange needed) = 0;

  /// Copies `rows` whole rows from row `y` on to or from memory that make_row_memory() has made for it.
  virtual void read_rows(std::int64_t y, std::int64_t rows, std::uint64_t* to) = 0;
  virtual void write_rows(std::int64_t y, std::int64_t rows, const std::uint64_t* from) = 0;

  virtual std::unique_ptr<QueueMark> make_mark() const = 0;
  virtual void mark(QueueMark& mark) = 0;

  /// What is put into the queue afterwards begins when another queue has passed a mark. The calling thread
  /// waits for marks of another kind of queue.
  virtual void wait_for(const QueueMark& mark) = 0;

  /// Returns when the queue is empty.
  virtual void finish() = 0;

  /// Memory that this queue reads; `writer` writes it, the CPU if null. The CPU may read what it writes
  /// itself or what this queue writes.
  virtual RowMemory make_row_memory(std::size_t words, const BoardQueue* writer) = 0;

  /// Whether queues of this kind can be linked, and this one's device; nothing if the library for that is
  /// missing here. link_queues() calls the next two with ids of a queue of the same kind.
  virtual bool may_be_linked() const { return false; }
  virtual std::optional<DeviceId> link_device() const { return std::nullopt; }
  virtual LinkId make_link_id() const { return {}; }
  virtual std::unique_ptr<QueueLink> make_link(const LinkId&, RankLink&) { return nullptr; }
};

class Board;

/// Words of some rows on their way between boards: each row is packed as in a Grid, words_for(width) words.
/// With more than two states, all rows of the lowest binary digit come first, then those of the next one.
std::size_t words_of_rows(const WorldSpec& world, std::int64_t rows);

/// As the functions of the board's queue; those of a board without one end when all is done.
void enqueue(Board& board, std::uint64_t generations);
void read_rows(Board& board, std::int64_t y, std::int64_t rows, std::uint64_t* to);
void write_rows(Board& board, std::int64_t y, std::int64_t rows, const std::uint64_t* from);
void finish(Board& board);

/// Memory, all 0, that the CPU and the board's queue reach, if it has one.
RowMemory make_row_memory(Board& board, std::size_t words);

}  // namespace moorea
