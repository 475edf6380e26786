// SPDX-License-Identifier: MIT
// 32 cells in a word and two rows per thread, for any rule: MOOREA_NEXT is the rule's network of logic gates,
// which makes two rows from four. docs/your-own-kernel.md explains it.
// @summary 32 cells per word, two rows per thread, the rule's network
// @layout bits
// @block 32x8
// @item 32x2
#include <moorea/kernel.h>
using namespace moorea::kernels;

struct RowSum {
  word cells, ones, twos;  // the row itself; number of live cells among three adjacent ones, in two digits
};

static __device__ RowSum sum_of(const word* row) {
  const word at = row[0], left = at << 1 | row[-1] >> 31, right = at >> 1 | row[1] << 31;
  return {at, LUT3(left, at, right, 0x96), LUT3(left, at, right, 0xE8)};
}

extern "C" __global__ void advance(Block block) {
  const std::int64_t x = first_column_of_thread(32), y = first_row_of_thread(2);
  if (x >= block.width || y >= block.height) return;
  RowSum rows[4];
  for (int i = 0; i < 4; ++i) {
    // The last row may have no second one below it, and then nothing is read
    const std::int64_t at = y - 1 + i <= block.height ? y - 1 + i : block.height;
    rows[i] = sum_of(row_from<word>(block, at) + x / 32);
  }
  word first, second;
  MOOREA_NEXT(rows[0].ones, rows[0].twos, rows[1].ones, rows[1].twos, rows[2].ones, rows[2].twos,
              rows[3].ones, rows[3].twos, rows[1].cells, rows[2].cells, &first, &second);
  row_to<word>(block, y)[x / 32] = first;
  if (y + 1 < block.height) row_to<word>(block, y + 1)[x / 32] = second;
}
