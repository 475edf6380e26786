// SPDX-License-Identifier: MIT
// Cells of one byte each, as arrays of other libraries have them, converted from and to packed cells.
#pragma once

#include <cstddef>
#include <cstdint>

#include "moorea/cells.h"
#include "moorea/grid_view.h"

#pragma GCC visibility push(default)
namespace moorea {

/// Rectangle of cells in memory of the caller, a byte each: 0 is dead, every other value alive, or a state.
/// The cell in column x and row y is at cells + y * row_stride + x * column_stride. Strides are in bytes and
/// may be negative, or 0 for a value that repeats.
struct ConstByteView {
  const std::uint8_t* cells = nullptr;
  std::ptrdiff_t row_stride = 0;
  std::ptrdiff_t column_stride = 1;
  std::int64_t width = 0;
  std::int64_t height = 0;
};

/// Writable rectangle of cells, as ConstByteView. Functions that fill a view write 0 or 1, or states.
struct ByteView {
  std::uint8_t* cells = nullptr;
  std::ptrdiff_t row_stride = 0;
  std::ptrdiff_t column_stride = 1;
  std::int64_t width = 0;
  std::int64_t height = 0;
};

/// Packs cells into a view of the same size. Throws Error (usage) for another size.
void pack_cells(const ConstByteView& from, const GridView& to);

/// Unpacks cells to a view of the same size. Throws Error (usage) for another size.
void unpack_cells(const ConstGridView& from, const ByteView& to);

/// Packs cells whose bytes are states from 0 to `states` - 1. Throws Error (usage) with the place of a larger
/// one, or for a number of states that Cells has not, Error (memory) if the cells do not fit.
Cells pack_states(const ConstByteView& from, int states);

/// Unpacks the states of cells to a view of the same size. Throws Error (usage) for another size.
void unpack_states(const Cells& from, const ByteView& to);

}  // namespace moorea
#pragma GCC visibility pop
