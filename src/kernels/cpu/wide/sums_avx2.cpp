// SPDX-License-Identifier: MIT
// Larger than Life by sums in vectors of 256 bits with AVX2.
#include <immintrin.h>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

// From the sums within each half: the lower half's last one goes to all of the upper half. `last` has the
// last sum of each half everywhere.
__m256i of_lower_half(__m256i last) { return _mm256_permute2x128_si256(last, last, 0x08); }
__m256i other_half(__m256i last) { return _mm256_permute2x128_si256(last, last, 0x01); }

struct Narrow {
  typedef std::uint16_t Number;
  typedef std::uint16_t Numbers __attribute__((vector_size(32)));
  typedef std::uint8_t Bytes __attribute__((vector_size(16)));

  static Numbers numbers_of(Bytes bytes) {
    return reinterpret_cast<Numbers>(_mm256_cvtepu8_epi16(reinterpret_cast<__m128i>(bytes)));
  }
  static Bytes bytes_of(Numbers numbers) { return __builtin_convertvector(numbers, Bytes); }
  static Numbers sums_of(Numbers numbers, Numbers* sum) {
    auto v = reinterpret_cast<__m256i>(numbers);
    v = _mm256_add_epi16(v, _mm256_slli_si256(v, 2));
    v = _mm256_add_epi16(v, _mm256_slli_si256(v, 4));
    v = _mm256_add_epi16(v, _mm256_slli_si256(v, 8));
    const __m256i last = _mm256_shuffle_epi8(v, _mm256_set1_epi16(0x0F0E));
    v = _mm256_add_epi16(v, of_lower_half(last));
    const Numbers result = reinterpret_cast<Numbers>(v) + *sum;
    *sum += reinterpret_cast<Numbers>(_mm256_add_epi16(last, other_half(last)));
    return result;
  }
};

struct Wide {
  typedef std::uint32_t Number;
  typedef std::uint32_t Numbers __attribute__((vector_size(32)));
  typedef std::uint8_t Bytes __attribute__((vector_size(8)));

  static Numbers numbers_of(Bytes bytes) {
    return reinterpret_cast<Numbers>(
        _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(reinterpret_cast<long long>(bytes))));
  }
  static Bytes bytes_of(Numbers numbers) { return __builtin_convertvector(numbers, Bytes); }
  static Numbers sums_of(Numbers numbers, Numbers* sum) {
    auto v = reinterpret_cast<__m256i>(numbers);
    v = _mm256_add_epi32(v, _mm256_slli_si256(v, 4));
    v = _mm256_add_epi32(v, _mm256_slli_si256(v, 8));
    const __m256i last = _mm256_shuffle_epi32(v, 0xFF);
    v = _mm256_add_epi32(v, of_lower_half(last));
    const Numbers result = reinterpret_cast<Numbers>(v) + *sum;
    *sum += reinterpret_cast<Numbers>(_mm256_add_epi32(last, other_half(last)));
    return result;
  }
};

#include "kernels/cpu/states/bytes.h"

#include "kernels/cpu/wide/sums.h"

}  // namespace

extern const Kernel cpu_wide_sums_avx2;
constexpr Kernel cpu_wide_sums_avx2 = {
    .summary = "Larger than Life, a byte per cell, counts by differences of sums along rows with AVX2",
    .layout = Layout::bytes,
    .max_steps = 1,
    .supports = {.families = larger_than_life},
    .needs = {.avx2 = true},
    .contract = StatesContract{.bind = bind_sums, .lanes = 1, .scratch_bytes = sums_scratch},
};

}  // namespace moorea::kernels
