// SPDX-License-Identifier: MIT
// Parts of a divided world in which nothing but oscillators happens. A turn is the time from one halo
// exchange to the next one. The rows that a part has after a turn depend on nothing but its rows and the
// halo rows at the turn's beginning, and on its length. If all of these are as one turn earlier, the turn
// repeats the one before: the part ends it with the rows with which it began it, and needs no computing.
// If all parts began a turn with the rows of one turn earlier, the world repeats with the turn's length.
//
// Two facts are known exactly, without hashes. The outermost rows of a part are compared in each turn with
// those of the turn before, which are in its other boxes (boards with a queue do not: the thread is ahead of
// the cells). If those and the halo are equal, a copy of the part's rows is compared one turn later, which is
// done rarely while it finds differences. Once a part's turns repeat, they do as long as its halo stays
// equal.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "boards/band_board.h"
#include "boards/remembered_cells.h"
#include "boards/row_exchange.h"

namespace moorea {

class RepeatedTurns {
 public:
  /// The first and the last part of a torus are neighbours.
  RepeatedTurns(std::size_t parts, bool is_torus) : parts_(parts), is_torus_(is_torus) {}

  /// Call if something else than a turn has changed cells, and if turns become longer or shorter.
  void forget();

  /// Whether each part began its last turn with the rows of one turn earlier.
  bool is_world_repeating() const;
  /// Whether any part's last turn repeated the one before.
  bool is_any_repeating() const;

  // Called by the thread of each part in each exchange, in this order. `slot` is that of RowExchange.

  /// Returns whether the part's rows are those of the two exchanges before, so that its boxes of this slot
  /// hold them.
  bool begin(std::size_t part, std::size_t slot, const BandBoard& band);
  /// If they do not.
  void sent(std::size_t part, std::size_t slot, SentAgain again);
  /// After RowExchange::pass(): whether the turn that begins repeats the one before.
  bool repeats(std::size_t part, std::size_t slot);
  /// Before the turn is computed.
  void remember(std::size_t part, const BandBoard& band);

 private:
  struct Part {
    std::array<SentAgain, 2> outer;        // of this turn and the one before, for neighbours that lag behind
    bool has_before = false;               // the exchange before is a turn ago
    bool is_same = false;                  // the own rows are those of the exchange before
    bool repeats = false;                  // the present turn repeats the one before
    bool may_repeat = false;               // it does, if it ends with the rows with which it began
    RememberedCells rows;                  // at the begin of the turn
    std::uint64_t wait = 0, interval = 1;  // turns until rows are remembered again
  };

  std::vector<Part> parts_;
  bool is_torus_;
};

}  // namespace moorea
