// SPDX-License-Identifier: MIT
// Rows with a byte per cell: their halo, and next states by transitions.
//
// Include inside an unnamed namespace of moorea::kernels.
#ifndef MOOREA_KERNELS_STEP_STATE_BYTES_H
#define MOOREA_KERNELS_STEP_STATE_BYTES_H

static inline void fill_byte_halo(const StateRows& rows, std::int64_t count) {
  const auto reach = static_cast<std::size_t>(rows.reach);
  for (std::int64_t y = 0; y < count; ++y) {
    auto* const cells = reinterpret_cast<std::uint8_t*>(rows.to + y * rows.to_row);
    if (!rows.torus) {
      __builtin_memset(cells - rows.reach, 0, reach);
      __builtin_memset(cells + rows.columns, 0, reach);
    } else if (rows.reach <= rows.columns) {
      __builtin_memcpy(cells - rows.reach, cells + rows.columns - rows.reach, reach);
      __builtin_memcpy(cells + rows.columns, cells, reach);
    } else {
      for (std::int64_t x = 0; x < rows.reach; ++x) {
        cells[-1 - x] = cells[rows.columns - 1 - x % rows.columns];
        cells[rows.columns + x] = cells[x % rows.columns];
      }
    }
  }
}

// The next state of a cell, by the decisions of the tree.
static inline std::uint8_t next_by_tree(const StateRows& rows, const std::uint8_t* at) {
  const std::ptrdiff_t row = rows.from_row;
  const std::ptrdiff_t corners[] = {-row - 1, -row + 1, row - 1, row + 1}, others[] = {-row, -1, 1, row, 0};
  const auto states = static_cast<std::int64_t>(rows.tree.states);
  std::int64_t node = rows.tree.root;
  if (rows.tree.corners)
    for (const std::ptrdiff_t place : corners) node = rows.tree.nodes[node * states + at[place]];
  for (const std::ptrdiff_t place : others) node = rows.tree.nodes[node * states + at[place]];
  return static_cast<std::uint8_t>(node);
}

// Computes the rows of a call, where cells influence their nearest neighbours: next(at) is the next state of
// the cell at `at`.
template <class Next>
static inline void step_bytes(const StateRows& rows, const Next& next) {
  for (std::int64_t y = 0; y < 2 * rows.pairs; ++y) {
    const auto* const from = reinterpret_cast<const std::uint8_t*>(rows.from + (y + 1) * rows.from_row);
    auto* const to = reinterpret_cast<std::uint8_t*>(rows.to + y * rows.to_row);
    for (std::int64_t x = 0; x < rows.columns; ++x) to[x] = next(from + x);
  }
}

#endif
