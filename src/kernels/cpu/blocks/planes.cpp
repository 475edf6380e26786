// SPDX-License-Identifier: MIT
// Rules of blocks in planes of 64 strided columns per machine word: each of a block's four next cells is a
// sum modulo 2 of products of its cells (algebraic normal form), of which those that the rule needs are added
// up. Portable.
#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

using word = std::uint64_t;

inline word spread(unsigned bit) { return -static_cast<word>(bit); }

#include "kernels/cpu/shifts.h"

#include "kernels/cpu/halo_columns.h"

#include "kernels/cpu/states/planes.h"

#include "kernels/cpu/blocks/planes.h"

constexpr int blocks_at_once = 4;

// The products in the sums of the four next cells: the bits of a product's number are its factors, 1 north
// west, 2 north east, 4 south west, 8 south east.
struct BlockSums {
  int number[4];
  unsigned char product[4][15];
  word constant[4];
};

BlockSums sums_of(const BlockTable& table) {
  BlockSums sums = {};
  for (int cell = 0; cell < 4; ++cell) {
    unsigned coefficients[16];
    for (unsigned block = 0; block < 16; ++block) coefficients[block] = table.next[block] >> cell & 1;
    for (unsigned factor = 1; factor < 16; factor *= 2) {
      for (unsigned block = 0; block < 16; ++block)
        if ((block & factor) != 0) coefficients[block] ^= coefficients[block ^ factor];
    }
    sums.constant[cell] = spread(coefficients[0]);
    for (unsigned block = 1; block < 16; ++block)
      if (coefficients[block] != 0)
        sums.product[cell][sums.number[cell]++] = static_cast<unsigned char>(block);
  }
  return sums;
}

// `number` blocks from block `first` on.
template <int number>
void step_some_blocks(const BlockSums& sums, const BlockRow& row, std::int64_t first) {
  word product[16][number];
  for (std::int64_t i = 0; i < number; ++i) {
    product[1][i] = row.north[2 * (first + i)];
    product[2][i] = row.north[2 * (first + i) + 1];
    product[4][i] = row.south[2 * (first + i)];
    product[8][i] = row.south[2 * (first + i) + 1];
  }
  for (int block = 3; block < 16; ++block) {
    if ((block & (block - 1)) == 0) continue;
    for (int i = 0; i < number; ++i)
      product[block][i] = product[block & (block - 1)][i] & product[block & -block][i];
  }
  for (int cell = 0; cell < 4; ++cell) {
    word* const to = cell < 2 ? row.to_north : row.to_south;
    if (to == nullptr) continue;
    word sum[number];
    for (int i = 0; i < number; ++i) sum[i] = sums.constant[cell];
    for (int k = 0; k < sums.number[cell]; ++k) {
      for (int i = 0; i < number; ++i) sum[i] ^= product[sums.product[cell][k]][i];
    }
    for (std::int64_t i = 0; i < number; ++i) to[2 * (first + i) + cell % 2] = sum[i];
  }
}

void step(const StateRows& rows) {
  const BlockSums sums = sums_of(rows.blocks);
  for_block_rows(rows, [&](const BlockRow& row) {
    std::int64_t block = 0;
    for (; block + blocks_at_once <= row.blocks; block += blocks_at_once)
      step_some_blocks<blocks_at_once>(sums, row, block);
    for (; block < row.blocks; ++block) step_some_blocks<1>(sums, row, block);
  });
}

StatesBinding bind(RuleMask) { return {.step = step, .fill_halo_columns = fill_planes_halo}; }

}  // namespace

extern const Kernel cpu_blocks_planes;
constexpr Kernel cpu_blocks_planes = {
    .summary = "rules of blocks, 64 strided columns per word, 16 generations per pass; portable",
    .layout = Layout::planes,
    .max_steps = 16,
    .supports = {.families = blocks},
    .contract = StatesContract{.bind = bind, .lanes = word_lanes},
};

}  // namespace moorea::kernels
