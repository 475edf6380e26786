// SPDX-License-Identifier: MIT
// Both digests pad a message to blocks of 64 bytes and differ in byte order and rounds. The constants are
// fractional parts of roots and sines, which are computed at the first use.
#include "model/digest.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>

namespace moorea {
namespace {

using Block = Sha256Block;
enum class ByteOrder { big, little };

// Calls `visit` with each block of the padded message.
template <class Visit>
void for_each_block(std::string_view text, ByteOrder order, Visit visit) {
  const std::size_t blocks = (text.size() + 8) / 64 + 1;
  const std::uint64_t bits = std::uint64_t{8} * text.size();
  const auto place_of = [&](std::size_t i) {
    return order == ByteOrder::big ? 24 - 8 * (i % 4) : 8 * (i % 4);
  };
  for (std::size_t block = 0; block < blocks; ++block) {
    Block words{};
    const std::size_t first = block * 64, end = std::min(text.size(), first + 64);
    for (std::size_t i = first; i < end; ++i)
      words[(i - first) / 4] |= std::uint32_t{static_cast<std::uint8_t>(text[i])} << place_of(i);
    if (text.size() >= first && text.size() < first + 64)
      words[(text.size() - first) / 4] |= std::uint32_t{0x80} << place_of(text.size());
    if (block + 1 == blocks) {
      const auto low = static_cast<std::uint32_t>(bits), high = static_cast<std::uint32_t>(bits >> 32);
      words[14] = order == ByteOrder::big ? high : low;
      words[15] = order == ByteOrder::big ? low : high;
    }
    visit(words);
  }
}

// The first 32 bits of the fractional part.
std::uint32_t fraction(long double value) {
  return static_cast<std::uint32_t>((value - std::floor(value)) * 4294967296.0L);
}

Sha256Constants computed_constants() {
  Sha256Constants constants;
  std::size_t count = 0;
  for (unsigned number = 2; count < constants.rounds.size(); ++number) {
    bool is_prime = true;
    for (unsigned divisor = 2; divisor * divisor <= number; ++divisor)
      is_prime = is_prime && number % divisor != 0;
    if (!is_prime) continue;
    const auto prime = static_cast<long double>(number);
    constants.rounds[count] = fraction(std::cbrt(prime));
    if (count < constants.start.size()) constants.start[count] = fraction(std::sqrt(prime));
    ++count;
  }
  return constants;
}

struct Md5Constants {
  std::array<std::uint32_t, 64> rounds{};  // 2^32 |sin(i + 1)|

  Md5Constants() {
    for (std::size_t i = 0; i < rounds.size(); ++i)
      rounds[i] = fraction(std::fabs(std::sin(static_cast<long double>(i + 1))));
  }
};

}  // namespace

const Sha256Constants& sha256_constants() {
  static const Sha256Constants constants = computed_constants();
  return constants;
}

void sha256_step(Sha256State& state, const Sha256Block& block) {
  const Sha256Constants& constants = sha256_constants();
  std::array<std::uint32_t, 64> w{};
  for (std::size_t i = 0; i < 64; ++i) {
    if (i < 16) {
      w[i] = block[i];
      continue;
    }
    const std::uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) + w[i - 7] +
           (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
  }
  // After each round every variable is the one before it: eight rounds are written as one without moves
  std::array<std::uint32_t, 8> s = state;
  for (std::size_t first = 0; first < 64; first += 8) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < 8; ++i) {
      const std::uint32_t a = s[(8 - i) % 8], b = s[(9 - i) % 8], c = s[(10 - i) % 8], e = s[(12 - i) % 8],
                          f = s[(13 - i) % 8], g = s[(14 - i) % 8];
      std::uint32_t &d = s[(11 - i) % 8], &h = s[(15 - i) % 8];
      h += (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + (g ^ (e & (f ^ g))) +
           constants.rounds[first + i] + w[first + i];
      d += h;
      h += (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) | (c & (a | b)));
    }
  }
  for (std::size_t i = 0; i < 8; ++i) state[i] += s[i];
}

std::array<std::uint8_t, 32> sha256(std::string_view text, Sha256Step step) {
  Sha256State state = sha256_constants().start;
  for_each_block(text, ByteOrder::big, [&](const Block& block) { step(state, block); });
  std::array<std::uint8_t, 32> digest{};
  for (std::size_t i = 0; i < 32; ++i)
    digest[i] = static_cast<std::uint8_t>(state[i / 4] >> (24 - 8 * (i % 4)));
  return digest;
}

std::string md5(std::string_view text) {
  static const Md5Constants constants;
  constexpr int turns[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  std::array<std::uint32_t, 4> state = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476};
  for_each_block(text, ByteOrder::little, [&](const Block& block) {
    auto [a, b, c, d] = state;
    for (std::size_t i = 0; i < 64; ++i) {
      const std::size_t round = i / 16;
      const std::uint32_t mixed = round == 0   ? (b & c) | (~b & d)
                                  : round == 1 ? (d & b) | (~d & c)
                                  : round == 2 ? b ^ c ^ d
                                               : c ^ (b | ~d);
      constexpr std::size_t factor[] = {1, 5, 3, 7}, offset[] = {0, 1, 5, 0};
      const std::uint32_t word = block[(factor[round] * i + offset[round]) % 16];
      const std::uint32_t next = b + std::rotl(a + mixed + constants.rounds[i] + word, turns[round][i % 4]);
      a = d;
      d = c;
      c = b;
      b = next;
    }
    state = {state[0] + a, state[1] + b, state[2] + c, state[3] + d};
  });
  constexpr char digits[] = "0123456789abcdef";
  std::string hex;
  for (std::size_t i = 0; i < 16; ++i) {
    const std::uint32_t byte = state[i / 4] >> 8 * (i % 4) & 0xFF;
    hex += digits[byte >> 4];
    hex += digits[byte & 15];
  }
  return hex;
}

}  // namespace moorea
