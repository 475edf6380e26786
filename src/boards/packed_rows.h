// SPDX-License-Identifier: MIT
// Rows of a world on their way to and from a device: packed 64 cells a word, as in a Grid, the bits beyond
// the width 0.
#pragma once

#include <cstdint>

#include "moorea/grid.h"

namespace moorea {

/// Writes the world's rows top to top + rows - 1: the cells of a grid at column x and row y, all others dead.
/// On several threads where that is worth it.
void pack_rows(const Grid& cells, std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t top,
               std::int64_t rows, std::uint64_t* to);

/// Reads such rows, and puts those that `box` has into a view of its cells.
void unpack_rows(const std::uint64_t* from, std::int64_t width, std::int64_t top, std::int64_t rows,
                 const Box& box, const GridView& to);

/// Clears the rows of a view of `box` that lie outside of `world`.
void clear_rows_outside(const Box& world, const Box& box, const GridView& to);

}  // namespace moorea
