// SPDX-License-Identifier: MIT
// Rows of cells in planes: neighbours are the same bit of adjacent columns, as in cpu/strided.h, and only the
// live cells, which are plane 0, have neighbours.
//
// Include inside an unnamed namespace, after halo_columns.h.
#ifndef MOOREA_KERNELS_STEP_PLANES_H
#define MOOREA_KERNELS_STEP_PLANES_H

// On a torus whose rows fill their vectors, the halo vectors are rotations.
static inline void fill_planes_halo(const StateRows& rows, std::int64_t count) {
  const StridedRow shape = {rows.width, rows.columns, rows.torus};
  const bool rotates = rows.torus && rows.width == rows.columns * word_lanes;
  for (std::int64_t y = 0; y < count; ++y) {
    word* const row = reinterpret_cast<word*>(rows.to + y * rows.to_row);
    if (!rotates) {
      write_ragged_halo_columns(shape, row, rows.planes);
      continue;
    }
    row[-rows.planes] = rotate_up(row[(rows.columns - 1) * rows.planes]);
    row[rows.columns * rows.planes] = rotate_down(row[0]);
  }
}

static inline void step_planes_by_code(const StateRows& rows) {
  rows.code(rows.from, rows.to, rows.from_row, rows.to_row, rows.columns, rows.pairs);
  fill_planes_halo(rows, 2 * rows.pairs);
}

#endif
