// SPDX-License-Identifier: MIT
// Rows of packed cells: bit i of word j is column 64*j + i.
#pragma once

#include <cstdint>

namespace moorea {

/// Returns the remainder from 0 to n - 1, also for negative numbers.
constexpr std::int64_t modulo(std::int64_t a, std::int64_t n) { return (a % n + n) % n; }

constexpr std::int64_t words_for(std::int64_t cells) { return (cells + 63) / 64; }

/// Returns the bits of a row's last word that are cells.
constexpr std::uint64_t tail_mask(std::int64_t width) {
  return width % 64 == 0 ? ~std::uint64_t{0} : (std::uint64_t{1} << width % 64) - 1;
}

/// Returns 64 cells from column x on, of a row of `words` words; columns outside are dead.
inline std::uint64_t cells_at(const std::uint64_t* row, std::int64_t words, std::int64_t x) {
  const std::int64_t word = x >> 6;
  const int shift = static_cast<int>(x & 63);
  const std::uint64_t low = word >= 0 && word < words ? row[word] >> shift : 0;
  const std::uint64_t high =
      shift != 0 && word + 1 >= 0 && word + 1 < words ? row[word + 1] << (64 - shift) : 0;
  return low | high;
}

/// Writes the cells in columns x to x + width - 1 of a row of `words` words to `to`, words_for(width) words;
/// columns outside the row are dead.
inline void extract_row(const std::uint64_t* row, std::int64_t words, std::int64_t x, std::int64_t width,
                        std::uint64_t* to) {
  const std::int64_t count = words_for(width);
  for (std::int64_t j = 0; j < count; ++j) to[j] = cells_at(row, words, x + 64 * j);
  if (count > 0) to[count - 1] &= tail_mask(width);
}

/// Returns the number of set bits. Without the CPU's instruction, which portable builds may not use,
/// std::popcount calls a function.
constexpr std::uint64_t popcount(std::uint64_t word) {
  word -= word >> 1 & 0x5555555555555555;
  word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333);
  return ((word + (word >> 4)) & 0x0F0F0F0F0F0F0F0F) * 0x0101010101010101 >> 56;
}

/// Returns the bits of a byte in the opposite order.
constexpr std::uint8_t reversed_bits(std::uint8_t byte) {
  unsigned bits = byte;
  bits = (bits & 0x0F) << 4 | bits >> 4;
  bits = (bits & 0x33) << 2 | (bits >> 2 & 0x33);
  bits = (bits & 0x55) << 1 | (bits >> 1 & 0x55);
  return static_cast<std::uint8_t>(bits);
}

}  // namespace moorea
