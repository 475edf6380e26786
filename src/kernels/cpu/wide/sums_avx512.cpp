// SPDX-License-Identifier: MIT
// Larger than Life by sums in vectors of 512 bits with AVX-512.
#include <immintrin.h>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

// Masked forms of all lanes, because the other ones begin with an undefined vector.
constexpr __mmask32 all32 = 0xFFFFFFFF;
constexpr __mmask16 all16 = 0xFFFF;

// Moves a vector's quarters up by one or two; the lowest become 0.
__m512i quarter_up(__m512i v) { return _mm512_maskz_alignr_epi64(0xFC, v, v, 6); }
__m512i half_up(__m512i v) { return _mm512_maskz_alignr_epi64(0xF0, v, v, 4); }
__m512i last_quarter(__m512i v) { return _mm512_maskz_shuffle_i64x2(0xFF, v, v, 0xFF); }

struct Narrow {
  typedef std::uint16_t Number;
  typedef std::uint16_t Numbers __attribute__((vector_size(64)));
  typedef std::uint8_t Bytes __attribute__((vector_size(32)));

  static Numbers numbers_of(Bytes bytes) {
    return reinterpret_cast<Numbers>(_mm512_maskz_cvtepu8_epi16(all32, reinterpret_cast<__m256i>(bytes)));
  }
  static Bytes bytes_of(Numbers numbers) {
    return reinterpret_cast<Bytes>(_mm512_maskz_cvtepi16_epi8(all32, reinterpret_cast<__m512i>(numbers)));
  }
  // The sums within each quarter, then the last ones of all quarters before it
  static Numbers sums_of(Numbers numbers, Numbers* sum) {
    auto v = reinterpret_cast<__m512i>(numbers);
    v = _mm512_add_epi16(v, _mm512_bslli_epi128(v, 2));
    v = _mm512_add_epi16(v, _mm512_bslli_epi128(v, 4));
    v = _mm512_add_epi16(v, _mm512_bslli_epi128(v, 8));
    __m512i last = _mm512_maskz_shuffle_epi8(~__mmask64{}, v, _mm512_set1_epi16(0x0F0E));
    last = _mm512_add_epi16(last, quarter_up(last));
    last = _mm512_add_epi16(last, half_up(last));
    const Numbers result = reinterpret_cast<Numbers>(_mm512_add_epi16(v, quarter_up(last))) + *sum;
    *sum += reinterpret_cast<Numbers>(last_quarter(last));
    return result;
  }
};

struct Wide {
  typedef std::uint32_t Number;
  typedef std::uint32_t Numbers __attribute__((vector_size(64)));
  typedef std::uint8_t Bytes __attribute__((vector_size(16)));

  static Numbers numbers_of(Bytes bytes) {
    return reinterpret_cast<Numbers>(_mm512_maskz_cvtepu8_epi32(all16, reinterpret_cast<__m128i>(bytes)));
  }
  static Bytes bytes_of(Numbers numbers) {
    return reinterpret_cast<Bytes>(_mm512_maskz_cvtepi32_epi8(all16, reinterpret_cast<__m512i>(numbers)));
  }
  static Numbers sums_of(Numbers numbers, Numbers* sum) {
    auto v = reinterpret_cast<__m512i>(numbers);
    v = _mm512_add_epi32(v, _mm512_bslli_epi128(v, 4));
    v = _mm512_add_epi32(v, _mm512_bslli_epi128(v, 8));
    __m512i last = _mm512_maskz_shuffle_epi32(all16, v, _MM_PERM_DDDD);
    last = _mm512_add_epi32(last, quarter_up(last));
    last = _mm512_add_epi32(last, half_up(last));
    const Numbers result = reinterpret_cast<Numbers>(_mm512_add_epi32(v, quarter_up(last))) + *sum;
    *sum += reinterpret_cast<Numbers>(last_quarter(last));
    return result;
  }
};

#include "kernels/cpu/states/bytes.h"

#include "kernels/cpu/wide/sums.h"

}  // namespace

extern const Kernel cpu_wide_sums_avx512;
constexpr Kernel cpu_wide_sums_avx512 = {
    .summary = "Larger than Life, a byte per cell, counts by differences of sums along rows with AVX-512",
    .layout = Layout::bytes,
    .max_steps = 1,
    .supports = {.families = larger_than_life},
    .needs = {.avx512 = true},
    .contract = StatesContract{.bind = bind_sums, .lanes = 1, .scratch_bytes = sums_scratch},
};

}  // namespace moorea::kernels
