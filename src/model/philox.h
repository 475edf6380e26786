// SPDX-License-Identifier: MIT
// Philox4x32-10, the counter-based generator of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as
// easy as 1, 2, 3" (SC 2011): a pure function of counter and key, so any device computes any cell's noise
// independently.
#pragma once

#include <array>
#include <cstdint>

namespace moorea {

/// For several 128-bit counters and a 64-bit key, 128 random bits each, least significant 32 bits first: word
/// i of counter n, counters[i][n], becomes that of its random bits.
template <std::size_t number>
constexpr void philox4x32_10(std::array<std::array<std::uint32_t, number>, 4>& counters,
                             std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    for (std::size_t n = 0; n < number; ++n) {
      const std::uint64_t even = std::uint64_t{0xD2511F53} * counters[0][n];
      const std::uint64_t odd = std::uint64_t{0xCD9E8D57} * counters[2][n];
      counters[0][n] = static_cast<std::uint32_t>(odd >> 32) ^ counters[1][n] ^ key[0];
      counters[1][n] = static_cast<std::uint32_t>(odd);
      counters[2][n] = static_cast<std::uint32_t>(even >> 32) ^ counters[3][n] ^ key[1];
      counters[3][n] = static_cast<std::uint32_t>(even);
    }
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
}

/// Returns 128 random bits for a 128-bit counter and a 64-bit key, least significant 32 bits first.
constexpr std::array<std::uint32_t, 4> philox4x32_10(const std::array<std::uint32_t, 4>& counter,
                                                     std::array<std::uint32_t, 2> key) {
  std::array<std::array<std::uint32_t, 1>, 4> counters = {
      {{counter[0]}, {counter[1]}, {counter[2]}, {counter[3]}}};
  philox4x32_10(counters, key);
  return {counters[0][0], counters[1][0], counters[2][0], counters[3][0]};
}

}  // namespace moorea
