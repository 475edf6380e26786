// SPDX-License-Identifier: MIT
// Trees whose cells are moved by a row.
#pragma once

#include "model/quadtree.h"

namespace moorea {

enum class RowMove { up, down };

/// The tree with all cells one row further up or down, of the same level or the next one. Costs the pairs of
/// squares that lie above each other. Throws Error (run) if they are beyond the coordinates of max_level.
Quadtree moved_by_a_row(const Quadtree& tree, RowMove direction);

}  // namespace moorea
