// SPDX-License-Identifier: MIT
// Eight tiles at a time, one per 64-bit part of an AVX-512 vector, six generations in 64 vectors. Fastest for
// mostly inactive worlds on CPUs with AVX-512.
#include <immintrin.h>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

using word = __m512i;
using Words [[gnu::vector_size(64)]] = std::uint64_t;
constexpr int parts = 8;

inline word spread(unsigned bit) { return _mm512_set1_epi64(-static_cast<long long>(bit)); }

#include "kernels/common/bits.h"

inline word majority(word a, word b, word c) { return _mm512_ternarylogic_epi64(a, b, c, 0xE8); }
#define LUT3(a, b, c, table) _mm512_ternarylogic_epi64(a, b, c, table)

#include "kernels/cpu/rules.h"

inline word load(const std::uint64_t* p) { return _mm512_loadu_si512(p); }
inline void store(std::uint64_t* p, word value) { _mm512_storeu_si512(p, value); }

inline __mmask8 first(int n) { return static_cast<__mmask8>((1 << n) - 1); }
inline word load_first(const std::uint64_t* p, int n) { return _mm512_maskz_loadu_epi64(first(n), p); }
inline void store_first(std::uint64_t* p, word value, int n) { _mm512_mask_storeu_epi64(p, first(n), value); }

inline bool any(word value) { return _mm512_test_epi64_mask(value, value) != 0; }

// Lower (upper) halves of the 128-bit quarters; quarters 0 and 2 (1 and 3) of two vectors
inline word low_halves(word a, word b) { return _mm512_maskz_unpacklo_epi64(0xFF, a, b); }
inline word high_halves(word a, word b) { return _mm512_maskz_unpackhi_epi64(0xFF, a, b); }
inline word even_quarters(word a, word b) { return _mm512_maskz_shuffle_i64x2(0xFF, a, b, 0x88); }
inline word odd_quarters(word a, word b) { return _mm512_maskz_shuffle_i64x2(0xFF, a, b, 0xDD); }

inline void gather_quarters(word a, word b, word c, word d, word* rows) {
  const word even = even_quarters(a, b), even2 = even_quarters(c, d);
  const word odd = odd_quarters(a, b), odd2 = odd_quarters(c, d);
  rows[0] = even_quarters(even, even2);
  rows[2] = even_quarters(odd, odd2);
  rows[4] = odd_quarters(even, even2);
  rows[6] = odd_quarters(odd, odd2);
}

inline void transpose(word* rows) {
  const word a = low_halves(rows[0], rows[1]), b = low_halves(rows[2], rows[3]);
  const word c = low_halves(rows[4], rows[5]), d = low_halves(rows[6], rows[7]);
  const word e = high_halves(rows[0], rows[1]), f = high_halves(rows[2], rows[3]);
  const word g = high_halves(rows[4], rows[5]), h = high_halves(rows[6], rows[7]);
  gather_quarters(a, b, c, d, rows);
  gather_quarters(e, f, g, h, rows + 1);
}

#include "kernels/cpu/tiles.h"

}  // namespace

extern const Kernel cpu_tiles_avx512;
constexpr Kernel cpu_tiles_avx512 = {
    .summary = "8 tiles of 52 x 48 at once with AVX-512, 6 generations per visit, inactive ones sleep",
    .layout = Layout::tiles,
    .max_steps = tile_halo,
    .supports = {.families = life_like | nine_cells},
    .needs = {.avx512 = true},
    .contract = TileContract{.bind = bind_tiles, .lanes = 64 * parts},
};

}  // namespace moorea::kernels
