// SPDX-License-Identifier: MIT
// Conversion of a world's rows to and from packed rows for transfers: 64 cells per word, as in a Grid, bits
// beyond the width 0.
#pragma once

#include <cstdint>

#include "moorea/grid.h"

namespace moorea {

/// Writes the world's rows top to top + rows - 1: the cells of a grid at column x and row y, all others dead.
/// Large worlds use several threads.
void pack_rows(const Grid& cells, std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t top,
               std::int64_t rows, std::uint64_t* to);

/// Copies the cells of packed rows that lie in `box` to a view of the box.
void unpack_rows(const std::uint64_t* from, std::int64_t width, std::int64_t top, std::int64_t rows,
                 const Box& box, const GridView& to);

/// Clears the rows of a view of `box` that lie outside of `world`.
void clear_rows_outside(const Box& world, const Box& box, const GridView& to);

/// Rows `top` to top + rows - 1 of a GridView or ConstGridView, with all its columns.
template <class View>
View rows_within(View view, std::int64_t top, std::int64_t rows) {
  view.words += top * view.words_per_row;
  view.height = rows;
  return view;
}

}  // namespace moorea
