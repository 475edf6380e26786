// SPDX-License-Identifier: MIT
// Universes from and to squares of cells, without the rectangle around them.
#pragma once

#include <cstddef>
#include <optional>

#include "model/cell_square.h"
#include "trees/node_store.h"

namespace moorea {

/// The universe with the cells of some squares, within coordinates of +-2^61. Changes their order. Throws
/// Error (memory).
Universe universe_of(NodeStore& store, CellSquares& squares);

/// The squares of a universe that have live cells; empty if there are more than `max_squares` or if some lie
/// beyond coordinates of +-2^60.
std::optional<CellSquares> squares_of(NodeStore& store, const Universe& universe, std::size_t max_squares);

}  // namespace moorea
