// SPDX-License-Identifier: MIT
// Rows of cells in planes: neighbours are the same bit of adjacent columns, as in cpu/strided.h. But for
// rules by transitions only the live cells, which are plane 0, and cells in state 6 of a rule with history
// have neighbours.
//
// Include inside an unnamed namespace, after halo_columns.h.
#ifndef MOOREA_KERNELS_STEP_PLANES_H
#define MOOREA_KERNELS_STEP_PLANES_H

// On a torus whose rows fill their vectors, the halo vectors are rotations.
static inline void fill_planes_halo(const StateRows& rows, std::int64_t count) {
  const StridedRow shape = {rows.width, rows.columns, rows.torus};
  const bool rotates = rows.torus && rows.width == rows.columns * word_lanes;
  const bool all_have_neighbours = rows.has_boundary || rows.kind == StateKind::transitions;
  const int with_neighbours = all_have_neighbours ? rows.planes : 1;
  for (std::int64_t y = 0; y < count; ++y) {
    for (int plane = 0; plane < with_neighbours; ++plane) {
      word* const row = reinterpret_cast<word*>(rows.to + y * rows.to_row) + plane;
      if (!rotates) {
        write_ragged_halo_columns(shape, row, rows.planes);
        continue;
      }
      row[-rows.planes] = rotate_up(row[(rows.columns - 1) * rows.planes]);
      row[rows.columns * rows.planes] = rotate_down(row[0]);
    }
  }
}

// Of a rule with history: live cells next to a cell in state 6 do not survive, which the rows that were
// computed do not know yet.
static inline void kill_at_boundary(const StateRows& rows) {
  if (!rows.has_boundary) return;
  const std::ptrdiff_t planes = rows.planes, from_row = rows.from_row / word_bytes;
  const auto beside = [&](const word* at) {
    return (at[1 - planes] & at[2 - planes]) | (at[1] & at[2]) | (at[1 + planes] & at[2 + planes]);
  };
  for (std::int64_t y = 0; y < 2 * rows.pairs; ++y) {
    const word* cell = reinterpret_cast<const word*>(rows.from) + (y + 1) * from_row;
    word* to = reinterpret_cast<word*>(rows.to + y * rows.to_row);
    for (std::int64_t j = 0; j < rows.columns; ++j, cell += planes, to += planes) {
      const word low = cell[0], middle = cell[1], high = cell[2];
      const word killed = low & (beside(cell - from_row) | beside(cell) | beside(cell + from_row));
      const word unmarked = killed & ~middle & ~high;
      to[0] &= ~killed;
      to[1] = (to[1] & ~killed) | unmarked;
      to[2] = (to[2] & ~killed) | (killed & ~unmarked);
    }
  }
}

static inline void step_planes_by_code(const StateRows& rows) {
  rows.code(rows.from, rows.to, rows.from_row, rows.to_row, rows.columns, rows.pairs);
  kill_at_boundary(rows);
  fill_planes_halo(rows, 2 * rows.pairs);
}

#endif
