// SPDX-License-Identifier: MIT
// The live cells of a board as squares.
#pragma once

#include <cstddef>

#include "boards/board.h"
#include "model/cell_square.h"

namespace moorea {

/// All squares of a board with live cells, in the board's coordinates. Reads what Board::live_boxes() names.
CellSquares squares_of(const Board& board);

/// An estimate of the number of squares that squares_of() reads, from the area of the live boxes.
double squares_to_read(const Board& board);

}  // namespace moorea
