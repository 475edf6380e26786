// SPDX-License-Identifier: MIT
// Packed cells in memory that somebody else owns: rows of a Grid, of a NumPy array, of a mapped file.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "moorea/box.h"

#pragma GCC visibility push(default)
namespace moorea {

/// Combination of a pasted cell with the cell that is there, as Golly's paste modes.
enum class PasteMode {
  replace,         ///< the pasted cell, live or dead
  bitwise_or,      ///< live if either is: adds live cells
  bitwise_xor,     ///< live if exactly one is: toggles cells
  bitwise_and_not  ///< live if the present cell is and the pasted one is not: removes cells
};

/// "replace", "or", "xor" or "and-not".
std::string_view to_string(PasteMode mode);

/// The inverse of to_string. Throws Error (usage) for another word.
PasteMode parse_paste_mode(std::string_view text);

/// Read-only rectangle of packed cells: bit i of word j of a row is the cell in column 64 * j + i. Bits
/// beyond the width are ignored.
struct ConstGridView {
  const std::uint64_t* words = nullptr;  ///< row 0
  std::int64_t words_per_row = 0;        ///< words from row to row, at least (width + 63) / 64
  std::int64_t width = 0;                ///< cells
  std::int64_t height = 0;

  Size size() const { return {width, height}; }
  /// The (width + 63) / 64 words of row y.
  std::span<const std::uint64_t> row(std::int64_t y) const {
    return {words + y * words_per_row, static_cast<std::size_t>((width + 63) / 64)};
  }
  bool alive(const Position& cell) const {
    return (words[cell.y * words_per_row + cell.x / 64] >> cell.x % 64 & 1) != 0;
  }
};

/// Writable rectangle of packed cells, as ConstGridView. Functions that fill a view write all words of its
/// rows; bits beyond the width become 0.
struct GridView {
  std::uint64_t* words = nullptr;
  std::int64_t words_per_row = 0;
  std::int64_t width = 0;
  std::int64_t height = 0;

  Size size() const { return {width, height}; }
  std::span<std::uint64_t> row(std::int64_t y) const {
    return {words + y * words_per_row, static_cast<std::size_t>((width + 63) / 64)};
  }
  operator ConstGridView() const { return {words, words_per_row, width, height}; }
};

/// Smallest box that contains all live cells of a view; empty if all are dead.
std::optional<Box> bounding_box_of(const ConstGridView& cells);

}  // namespace moorea
#pragma GCC visibility pop
