// SPDX-License-Identifier: MIT
// Checksum of headers, indices and compressed chunks. Each step is a bijection of the state, so that a change
// within one 8-byte word, such as a flipped bit, is always detected; any other with probability 1 - 2^-64.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace moorea {

inline std::uint64_t checksum_of(std::string_view bytes) {
  constexpr std::uint64_t factor = 0x9E3779B97F4A7C15;  // 2^64 / golden ratio; odd
  std::uint64_t state = bytes.size() * factor;
  const auto add = [&state](std::uint64_t word) {
    state = (state ^ word) * factor;
    state ^= state >> 32;
  };
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, 8);
    add(word);
  }
  std::uint64_t rest = 0;
  if (at < bytes.size()) std::memcpy(&rest, bytes.data() + at, bytes.size() - at);
  add(rest);
  return state;
}

}  // namespace moorea
