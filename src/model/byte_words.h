// SPDX-License-Identifier: MIT
// Words of packed cells from cells of one byte each, and back: eight cells at a time by multiplications that
// gather and spread bits, fast enough that memory is the limit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace moorea {

constexpr std::uint64_t low_byte_bits = 0x0101010101010101, high_byte_bits = 0x8080808080808080;

// 1 in each byte that is not 0, 0 in the others.
inline std::uint64_t ones_of(std::uint64_t bytes) {
  const std::uint64_t any = ((bytes & ~high_byte_bits) + ~high_byte_bits) | bytes;
  return any >> 7 & low_byte_bits;
}

// Bit i is byte i, each 0 or 1: the product moves byte i to bit 56 + i.
inline std::uint64_t gathered(std::uint64_t ones) { return ones * 0x0102040810204080 >> 56; }

// Byte i is bit i.
inline std::uint64_t spread(std::uint64_t bits) { return ones_of(bits * low_byte_bits & 0x8040201008040201); }

// Digit i of the states of up to 64 cells is word i.
using StateWord = std::array<std::uint64_t, 8>;

inline StateWord packed_states(const std::uint8_t* cells, std::int64_t number, std::ptrdiff_t stride,
                               std::size_t planes) {
  StateWord word{};
  if (number == 64 && stride == 1) {
    for (int i = 0; i < 8; ++i) {
      std::uint64_t bytes;
      std::memcpy(&bytes, cells + 8 * i, sizeof bytes);
      for (std::size_t digit = 0; digit < planes; ++digit)
        word[digit] |= gathered(bytes >> digit & low_byte_bits) << 8 * i;
    }
    return word;
  }
  for (std::int64_t i = 0; i < number; ++i) {
    const std::uint64_t state = cells[i * stride];
    for (std::size_t digit = 0; digit < planes; ++digit) word[digit] |= (state >> digit & 1) << i;
  }
  return word;
}

inline void unpack_states_of(const StateWord& word, std::size_t planes, std::uint8_t* cells,
                             std::int64_t number, std::ptrdiff_t stride) {
  if (number == 64 && stride == 1) {
    for (int i = 0; i < 8; ++i) {
      std::uint64_t bytes = 0;
      for (std::size_t digit = 0; digit < planes; ++digit)
        bytes |= spread(word[digit] >> 8 * i & 0xFF) << digit;
      std::memcpy(cells + 8 * i, &bytes, sizeof bytes);
    }
    return;
  }
  for (std::int64_t i = 0; i < number; ++i) {
    std::uint64_t state = 0;
    for (std::size_t digit = 0; digit < planes; ++digit) state |= (word[digit] >> i & 1) << digit;
    cells[i * stride] = static_cast<std::uint8_t>(state);
  }
}

}  // namespace moorea
