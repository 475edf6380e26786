// SPDX-License-Identifier: MIT
// The outermost rows of the parts of a divided world on their way to the neighbours' halos. Rows lie in
// boxes: memory that the sender writes and the receiver reads, each by its device if that has a queue.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "boards/band_board.h"
#include "boards/board_queue.h"
#include "devices/cpu/threads.h"

namespace moorea {

/// Whether a part's uppermost and lowest rows are those of the turn before.
struct SentAgain {
  bool first = false, last = false;
};

/// A turn of part i is send(i), pass(i), wait(i), receive(i), by a thread of its own. Two boxes take turns,
/// so that a part writes one while its neighbours still read the other.
class RowExchange {
 public:
  /// Boards from top to bottom, which live longer.
  RowExchange(std::int64_t halo, std::span<BandBoard* const> parts);

  /// Of the part's two pairs of boxes, the one of the turn that ends with the next pass().
  std::size_t next_slot(std::size_t part) const { return 1 - parts_[part].slot; }
  /// Copies the outermost rows into boxes. Not needed if the boxes hold them.
  void send(std::size_t part);
  /// After send(): whether the boxes hold what those of the turn before do. False for a board with a queue,
  /// whose boxes are not full yet.
  SentAgain sends_again(std::size_t part) const;
  /// The part's boxes are full at the mark; null: now. Returns when the neighbours have said so of theirs. A
  /// part that has failed calls it nevertheless, because the others wait for it.
  void pass(std::size_t part, const QueueMark* full);
  /// Waits until the neighbours' boxes are full: the part's queue, or the thread if there is none.
  void wait(std::size_t part);
  /// Fills the halo from the neighbours' boxes.
  void receive(std::size_t part);

  /// How a part's rows reach the next one: the first, from the last.
  RowPath path_below(std::size_t part) const { return parts_[part].below[0].path; }

 private:
  struct Part {
    BandBoard* board = nullptr;
    BoardQueue* queue = nullptr;
    std::array<RowMemory, 2> above, below;  // boxes for the neighbours there
    std::array<const QueueMark*, 2> full = {};
    std::size_t slot = 0;  // of the boxes of the last turn that was passed
  };

  const Part& upper(std::size_t part) const { return parts_[(part + parts_.size() - 1) % parts_.size()]; }
  const Part& lower(std::size_t part) const { return parts_[(part + 1) % parts_.size()]; }
  RowMemory make_box(const Part& from, const Part& to) const;

  std::int64_t halo_;
  std::vector<Part> parts_;
  Phases phases_;
};

}  // namespace moorea
