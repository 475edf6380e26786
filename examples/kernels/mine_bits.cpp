// SPDX-License-Identifier: MIT
// A kernel for Life with 64 cells in a word: the neighbours of all 64 are added at once, a binary
// digit of their number in each variable. docs/your-own-kernel.md explains it.
// @summary 64 cells per word, for Life
// @layout bits
// @rule B3/S23
#include <moorea/kernel.h>
using namespace moorea::kernels;

namespace {

using Word = std::uint64_t;

// Bit i: how many of cells i - 1, i and i + 1 of a row live, in two digits.
struct RowSum {
  Word ones, twos;
};

RowSum sum_of(const Word* row, std::int64_t j) {
  const Word at = row[j], left = at << 1 | row[j - 1] >> 63, right = at >> 1 | row[j + 1] << 63;
  return {left ^ at ^ right, (left & at) | (right & (left ^ at))};
}

}  // namespace

extern "C" void advance(const Block& block) {
  const std::int64_t words = (block.width + 63) / 64;
  for (std::int64_t y = 0; y < block.height; ++y) {
    const Word* rows[3];
    for (int i = 0; i < 3; ++i) rows[i] = row_from<Word>(block, y - 1 + i);
    Word* to = row_to<Word>(block, y);
    for (std::int64_t j = 0; j < words; ++j) {
      const RowSum a = sum_of(rows[0], j), b = sum_of(rows[1], j), c = sum_of(rows[2], j);
      // All nine cells: an odd number or not, and twos, of which there are up to four
      const Word odd = a.ones ^ b.ones ^ c.ones, carry = (a.ones & b.ones) | (c.ones & (a.ones ^ b.ones));
      const Word pairs = a.twos ^ b.twos ^ c.twos ^ carry;
      const Word some_fours =
          ((a.twos & b.twos) | (c.twos & (a.twos ^ b.twos))) | (carry & (a.twos ^ b.twos ^ c.twos));
      // Alive with 3 of nine, or with 4 where the cell itself is one of them
      const Word three = odd & pairs & ~some_fours;
      const Word four_or_eight = ~odd & ~pairs & some_fours;
      // Eight of nine are no four: then each row has two or three
      const Word eight = a.twos & b.twos & c.twos & carry;
      to[j] = three | (rows[1][j] & four_or_eight & ~eight);
    }
  }
}
