// SPDX-License-Identifier: MIT
// Both digests pad a message to blocks of 64 bytes and differ in byte order and rounds. The constants are
// fractional parts of roots and sines, which are computed at the first use.
#include "model/digest.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>

namespace moorea {
namespace {

using Block = std::array<std::uint32_t, 16>;
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

void sha256_step(std::array<std::uint32_t, 8>& state, const Block& block) {
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

#if defined(__x86_64__)
bool has_sha_instructions() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __builtin_cpu_supports("sse4.1") && __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 &&
         (b >> 29 & 1) != 0;
}

// By the instructions for it, two rounds each: they keep variables a, b, e and f in one vector and the other
// four in a second one, the first of each in the highest place, and four words of the message in a vector.
__attribute__((target("sha,sse4.1"))) void sha256_step_of_instructions(std::array<std::uint32_t, 8>& state,
                                                                       const Block& block) {
  const auto place = [](std::uint32_t highest, std::uint32_t third, std::uint32_t second,
                        std::uint32_t lowest) {
    return _mm_set_epi32(static_cast<int>(highest), static_cast<int>(third), static_cast<int>(second),
                         static_cast<int>(lowest));
  };
  const auto load = [](const std::uint32_t* words) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(words));
  };
  const Sha256Constants& constants = sha256_constants();
  const __m128i abef_before = place(state[0], state[1], state[4], state[5]),
                cdgh_before = place(state[2], state[3], state[6], state[7]);
  __m128i abef = abef_before, cdgh = cdgh_before;
  __m128i words[4];
  for (std::size_t i = 0; i < 4; ++i) words[i] = load(&block[4 * i]);
#pragma GCC unroll 16
  for (std::size_t i = 0; i < 16; ++i) {
    __m128i& now = words[i % 4];
    const __m128i &second = words[(i + 1) % 4], &third = words[(i + 2) % 4], &last = words[(i + 3) % 4];
    const __m128i added = _mm_add_epi32(now, load(&constants.rounds[4 * i]));
    // After two rounds a and b are where c and d are, and e and f where g and h are
    cdgh = _mm_sha256rnds2_epu32(cdgh, abef, added);
    abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(added, 0b1110));
    if (i < 12)
      now = _mm_sha256msg2_epu32(
          _mm_add_epi32(_mm_sha256msg1_epu32(now, second), _mm_alignr_epi8(last, third, 4)), last);
  }
  std::array<std::uint32_t, 4> one{}, other{};
  _mm_storeu_si128(reinterpret_cast<__m128i*>(one.data()), _mm_add_epi32(abef, abef_before));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(other.data()), _mm_add_epi32(cdgh, cdgh_before));
  state = {one[3], one[2], other[3], other[2], one[1], one[0], other[1], other[0]};
}
#endif

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

std::vector<Sha256Step> usable_sha256_steps() {
  std::vector<Sha256Step> usable;
#if defined(__x86_64__)
  if (has_sha_instructions()) usable.push_back(sha256_step_of_instructions);
#endif
  usable.push_back(sha256_step);
  return usable;
}

std::array<std::uint8_t, 32> sha256(std::string_view text) {
  static const Sha256Step step = usable_sha256_steps().front();
  return sha256(text, step);
}

std::array<std::uint8_t, 32> sha256(std::string_view text, Sha256Step step) {
  std::array<std::uint32_t, 8> state = sha256_constants().start;
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
