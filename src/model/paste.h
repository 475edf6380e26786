// SPDX-License-Identifier: MIT
// Pasting packed cells, word by word.
#pragma once

#include <algorithm>
#include <cstdint>

#include "model/bits.h"
#include "moorea/grid_view.h"

namespace moorea {

/// The word that results from pasting the cells `added` onto `present` where `mask` is set.
constexpr std::uint64_t paste_word(PasteMode mode, std::uint64_t present, std::uint64_t added,
                                   std::uint64_t mask) {
  switch (mode) {
    case PasteMode::replace:
      return (present & ~mask) | (added & mask);
    case PasteMode::bitwise_or:
      return present | (added & mask);
    case PasteMode::bitwise_xor:
      return present ^ (added & mask);
    case PasteMode::bitwise_and_not:
      return present & ~(added & mask);
  }
  return present;
}

/// Bits of word `word` of a row that lie in the columns first to end - 1.
constexpr std::uint64_t columns_mask(std::int64_t word, std::int64_t first, std::int64_t end) {
  const std::int64_t low = std::clamp<std::int64_t>(first - 64 * word, 0, 64),
                     high = std::clamp<std::int64_t>(end - 64 * word, 0, 64);
  const auto below = [](std::int64_t n) { return n == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1; };
  return low < high ? below(high) & ~below(low) : 0;
}

/// Pastes row `y` of `source`, whose column 0 is column `x` of a row of cells, into that row's words
/// first_word to end_word - 1, of which `row` is the first.
inline void paste_row(PasteMode mode, const ConstGridView& source, std::int64_t y, std::int64_t x,
                      std::int64_t first_word, std::int64_t end_word, std::uint64_t* row) {
  const std::uint64_t* from = source.words + y * source.words_per_row;
  const std::int64_t words = words_for(source.width);
  for (std::int64_t j = first_word; j < end_word; ++j) {
    std::uint64_t& word = row[j - first_word];
    word = paste_word(mode, word, cells_at(from, words, 64 * j - x), columns_mask(j, x, x + source.width));
  }
}

}  // namespace moorea
