// SPDX-License-Identifier: MIT
// State hash: sum over live cells of 2^(x mod 32) * a^floor(x/32) * b^y modulo the prime p = 2^61 - 1.
// A sum, so parts are combined in any order and on any device; 2^(x mod 32) makes a 32-bit half word of cells
// its own value, so a kernel needs one multiplication per 32 cells; powers, so translating cells by 32
// columns or by a row multiplies the hash, and equal blocks of cells share one value.
#pragma once

#include <cstdint>
#include <vector>

namespace moorea {

__extension__ typedef unsigned __int128 uint128;

constexpr std::uint64_t hash_prime = (std::uint64_t{1} << 61) - 1;

// The first primitive roots modulo p at or above 13198A2E03707344 and A4093822299F31D, digits of pi in base
// 16.
constexpr std::uint64_t hash_column_base = 0x13198A2E0370734A;
constexpr std::uint64_t hash_row_base = 0x0A4093822299F31E;

constexpr std::uint64_t hash_reduce(uint128 value) {
  std::uint64_t folded = static_cast<std::uint64_t>(value & hash_prime) +
                         static_cast<std::uint64_t>(value >> 61 & hash_prime) +
                         static_cast<std::uint64_t>(value >> 122);
  folded = (folded & hash_prime) + (folded >> 61);
  return folded >= hash_prime ? folded - hash_prime : folded;
}

constexpr std::uint64_t hash_add(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t sum = a + b;  // both below 2^61
  return sum >= hash_prime ? sum - hash_prime : sum;
}

/// The inverse of hash_add: the hash of a world without a part whose hash is `b`.
constexpr std::uint64_t hash_subtract(std::uint64_t a, std::uint64_t b) {
  return a >= b ? a - b : a + hash_prime - b;
}

constexpr std::uint64_t hash_multiply(std::uint64_t a, std::uint64_t b) {
  return hash_reduce(static_cast<uint128>(a) * b);
}

/// base^exponent modulo p; a negative exponent is a power of the inverse.
std::uint64_t hash_power(std::uint64_t base, std::int64_t exponent);

/// Hashes packed rows of one world. Column 0 of each row has the coordinate x0.
class RowHasher {
 public:
  RowHasher(std::int64_t words_per_row, std::int64_t x0);

  /// Returns the hash of one row with the coordinate y; bits beyond the width must be 0.
  std::uint64_t operator()(const std::uint64_t* row, std::int64_t y) const;

 private:
  int shift_;                           // x0 mod 64: offset of the words from the hash's 64-column raster
  std::vector<std::uint64_t> weights_;  // a^(half word), two for each word of the raster
};

}  // namespace moorea
