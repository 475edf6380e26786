// SPDX-License-Identifier: MIT
// A board that computes only the tiles that can change.
#pragma once

#include "boards/board.h"
#include "moorea/tiles.h"

namespace moorea {

class TiledBoard : public PartwiseBoard {
 public:
  using PartwiseBoard::PartwiseBoard;

  /// Cells in the tiles that the next pass computes.
  virtual double awake_cells() const = 0;
};

}  // namespace moorea
