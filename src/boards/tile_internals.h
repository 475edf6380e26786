// SPDX-License-Identifier: MIT
// Shared by the files of TileBoard: constants of its buffers, visits of tiles, and marks of tiles that the
// next pass computes.
#pragma once

#include <algorithm>
#include <bit>

#include "boards/tile_board.h"

namespace moorea {

// Words before row 0 of a column, so that row -6, where a kernel begins to read, is aligned where row 0 is a
// multiple of 8; and after the last row, because a kernel reads whole windows.
constexpr std::int64_t rows_above = 14, rows_below = 72;
constexpr std::int64_t tile_rows = 48;  // maximum height of a tile: a multiple of 8, at most tile_side

/// The bits of a tile's columns.
constexpr std::uint64_t tile_mask(int cells) { return (std::uint64_t{1} << cells) - 1; }

constexpr unsigned all_changes = kernels::tile_changed | kernels::left_changed | kernels::right_changed |
                                 kernels::top_changed | kernels::bottom_changed;

/// Generations of the next passes. Passes of one length keep what is known of sleepers, so a length that
/// leaves no rest is best, and that of the last passes, `last` (0: there were none), better than another that
/// is hardly longer. A long run has a rest: it costs a few passes over all tiles, and an oscillator whose
/// period a shorter length does not divide would never sleep.
constexpr int pass_length(std::uint64_t generations, int last) {
  constexpr unsigned many = 256;
  if (generations >= many * kernels::tile_halo) return kernels::tile_halo;
  const auto divides = [&](int steps) { return generations % static_cast<unsigned>(steps) == 0; };
  int longest = kernels::tile_halo;
  while (!divides(longest)) --longest;
  if (longest < 4) longest = static_cast<int>(std::min<std::uint64_t>(generations, kernels::tile_halo));
  return last != 0 && divides(last) && 2 * last > longest ? last : longest;
}

// Sets the bits of tiles in their order, a word at a time for adjacent ones.
class TileBoard::Marker {
 public:
  explicit Marker(TileBoard& board) : board_(board) {}

  // Activates a tile that changed and the neighbours that read the part that changed.
  void wake(Place place, unsigned changes) {
    const std::int32_t columns = static_cast<std::int32_t>(board_.columns_.parts());
    const bool torus = board_.world().is_torus();
    wake_column(middle_, place, changes);
    if ((changes & kernels::left_changed) != 0 && (place.column > 0 || torus)) {
      wake_column(left_, {place.column > 0 ? place.column - 1 : columns - 1, place.row}, changes);
    }
    if ((changes & kernels::right_changed) != 0 && (place.column < columns - 1 || torus)) {
      wake_column(right_, {place.column < columns - 1 ? place.column + 1 : 0, place.row}, changes);
    }
  }

  void flush() {
    for (Word* word : {&left_, &middle_, &right_}) flush(*word);
  }

 private:
  struct Word {
    std::int64_t index = 0;
    std::uint64_t bits = 0;
  };

  void wake_column(Word& word, Place place, unsigned changes) {
    const std::int32_t rows = static_cast<std::int32_t>(board_.rows_.parts());
    const bool torus = board_.world().is_torus();
    if ((changes & kernels::top_changed) != 0 && (place.row > 0 || torus)) {
      set(word, {place.column, place.row > 0 ? place.row - 1 : rows - 1});
    }
    set(word, place);
    if ((changes & kernels::bottom_changed) != 0 && (place.row < rows - 1 || torus)) {
      set(word, {place.column, place.row < rows - 1 ? place.row + 1 : 0});
    }
  }

  void set(Word& word, Place place) {
    const std::int64_t index = place.column * board_.words_a_column_ + place.row / 64;
    if (index != word.index) flush(word);
    word.index = index;
    word.bits |= std::uint64_t{1} << place.row % 64;
  }

  void flush(Word& word) {
    if (word.bits == 0) return;
    board_.woken_[static_cast<std::size_t>(word.index)].fetch_or(word.bits, std::memory_order_relaxed);
    board_.column_woken_[static_cast<std::size_t>(word.index / board_.words_a_column_)].store(
        true, std::memory_order_relaxed);
    word.bits = 0;
  }

  TileBoard& board_;
  Word left_, middle_, right_;
};

// Calls per_tile(place) for the tiles of some columns that were ever written.
template <class PerTile>
void TileBoard::for_used(std::int64_t first, std::int64_t last, const PerTile& per_tile) const {
  for (std::int64_t column = first; column < last; ++column) {
    for (std::int64_t word = 0; word < words_a_column_; ++word) {
      std::uint64_t bits = used_[static_cast<std::size_t>(column * words_a_column_ + word)];
      for (; bits != 0; bits &= bits - 1) {
        per_tile(Place{static_cast<std::int32_t>(column),
                       static_cast<std::int32_t>(word * 64 + std::countr_zero(bits))});
      }
    }
  }
}

// Calls per_word(y, cells) for the rows of a tile; of a repeated torus only once.
template <class PerWord>
void TileBoard::for_words(Place place, const PerWord& per_word) const {
  const std::int64_t first = rows_.begin[static_cast<std::size_t>(place.row)];
  const std::int64_t end = std::min(first + rows_.size(place.row), world_.height);
  const std::uint64_t mask =
      world_.width < kernels::tile_halo ? tile_mask(static_cast<int>(world_.width)) : ~std::uint64_t{0};
  const std::uint64_t* words = row_zero(current_, place.column);
  for (std::int64_t y = first; y < end; ++y) per_word(y, words[y] & mask);
}

}  // namespace moorea
