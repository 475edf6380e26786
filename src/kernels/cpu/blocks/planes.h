// SPDX-License-Identifier: MIT
// Rows of blocks in bit planes: the same bit of two adjacent columns of two rows are a block.
//
// Include inside an unnamed namespace of moorea::kernels, after halo_columns.h and states/planes.h.
#ifndef MOOREA_KERNELS_STEP_BLOCK_PLANES_H
#define MOOREA_KERNELS_STEP_BLOCK_PLANES_H

// Two rows of some blocks. The first and the last column may be halo columns, whose results are not those of
// all cells there.
struct BlockRow {
  const word* north;
  const word* south;
  word* to_north;  // null: not stored
  word* to_south;
  std::int64_t blocks;
};

// Calls step(row) for the rows of blocks of a call; rows of results that are not of the call are null.
template <class Step>
static inline void for_block_rows(const StateRows& rows, const Step& step) {
  const std::int64_t count = 2 * rows.pairs, first = rows.blocks.from_first_column ? 0 : -1;
  for (std::int64_t y = rows.blocks.from_first_row ? 0 : -1; y < count; y += 2) {
    const auto from = [&](std::int64_t row) {
      return reinterpret_cast<const word*>(rows.from + (row + 1) * rows.from_row) + first;
    };
    const auto to = [&](std::int64_t row) {
      const bool is_stored = row >= 0 && row < count;
      return is_stored ? reinterpret_cast<word*>(rows.to + row * rows.to_row) + first : nullptr;
    };
    step(BlockRow{from(y), from(y + 1), to(y), to(y + 1), rows.columns / 2 - first});
  }
  fill_planes_halo(rows, count);
}

static inline void step_blocks_by_code(const StateRows& rows) {
  for_block_rows(rows, [&](const BlockRow& row) {
    rows.block_code(row.north, row.south, row.to_north, row.to_south, row.blocks);
  });
}

#endif
