// SPDX-License-Identifier: MIT
// Copy of a board's cells, which shows later whether the board has the same ones again: exactly, where equal
// hashes would leave a doubt.
#pragma once

#include "boards/board.h"
#include "moorea/cells.h"

namespace moorea {

class RememberedCells {
 public:
  /// Whether there is a copy.
  bool exist() const { return !cells_.empty(); }

  /// Copies all cells of the board, unless that would take more than a tenth of the available memory;
  /// returns whether it did.
  bool copy(const Board& board);

  /// Frees the copy and returns whether the board has its cells. Reads them until one differs.
  bool are_those_of(const Board& board);

 private:
  Cells cells_;
};

}  // namespace moorea
