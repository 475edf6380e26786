// SPDX-License-Identifier: MIT
#include "census/soup_digest.h"

#include <cstddef>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace moorea {
namespace {

#if defined(__x86_64__)
bool has_sha_instructions() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __builtin_cpu_supports("sse4.1") && __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 &&
         (b >> 29 & 1) != 0;
}

// By the instructions for it, two rounds each: they keep variables a, b, e and f in one vector and the other
// four in a second one, the first of each in the highest place, and four words of the message in a vector.
__attribute__((target("sha,sse4.1"))) void step_of_instructions(Sha256State& state,
                                                                const Sha256Block& block) {
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

}  // namespace

std::vector<Sha256Step> usable_sha256_steps() {
  std::vector<Sha256Step> usable;
#if defined(__x86_64__)
  if (has_sha_instructions()) usable.push_back(step_of_instructions);
#endif
  usable.push_back(sha256_step);
  return usable;
}

std::array<std::uint8_t, 32> soup_digest(std::string_view name) {
  static const Sha256Step step = usable_sha256_steps().front();
  return sha256(name, step);
}

}  // namespace moorea
