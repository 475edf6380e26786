// SPDX-License-Identifier: MIT
// Transposition of squares of bits (Warren, "Hacker's Delight", 7-3): bit j of word i and bit i of word j are
// exchanged.
#pragma once

#include <cstdint>

namespace moorea {
namespace detail {

// Swaps the upper right and the lower left quarter of squares of 2 half x 2 half bits.
template <int half>
inline void exchange_quarters(std::uint64_t* words, int size) {
  constexpr std::uint64_t low =
      ~std::uint64_t{0} / ((std::uint64_t{1} << half) + 1);  // bits p with p & half 0
  for (int top = 0; top < size; top += 2 * half) {
    for (int i = top; i < top + half; ++i) {
      const std::uint64_t swapped = (words[i] >> half ^ words[i + half]) & low;
      words[i] ^= swapped << half;
      words[i + half] ^= swapped;
    }
  }
}

}  // namespace detail

/// Transposes the adjacent squares of size x size bits (a power of two up to 64) in `size` words.
inline void transpose(std::uint64_t* words, int size) {
  if (size > 32) detail::exchange_quarters<32>(words, size);
  if (size > 16) detail::exchange_quarters<16>(words, size);
  if (size > 8) detail::exchange_quarters<8>(words, size);
  if (size > 4) detail::exchange_quarters<4>(words, size);
  if (size > 2) detail::exchange_quarters<2>(words, size);
  if (size > 1) detail::exchange_quarters<1>(words, size);
}

}  // namespace moorea
