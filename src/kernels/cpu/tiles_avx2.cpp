// SPDX-License-Identifier: MIT
// Four tiles at a time, one per 64-bit part of an AVX2 vector, six generations in 64 vectors. Fastest for
// mostly inactive worlds on CPUs with AVX2.
#include <immintrin.h>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

using word = __m256i;
using Words [[gnu::vector_size(32)]] = std::uint64_t;
constexpr int parts = 4;

inline word spread(unsigned bit) { return _mm256_set1_epi64x(-static_cast<long long>(bit)); }

#include "kernels/common/bits.h"

#include "kernels/cpu/logic_avx2.h"
#include "kernels/cpu/rules.h"

inline word load(const std::uint64_t* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); }
inline void store(std::uint64_t* p, word value) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), value); }

inline __m256i first(int n) {
  return _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3));
}
inline word load_first(const std::uint64_t* p, int n) {
  return _mm256_maskload_epi64(reinterpret_cast<const long long*>(p), first(n));
}
inline void store_first(std::uint64_t* p, word value, int n) {
  _mm256_maskstore_epi64(reinterpret_cast<long long*>(p), first(n), value);
}

inline bool any(word value) { return _mm256_testz_si256(value, value) == 0; }

inline void transpose(word* rows) {
  const word a = _mm256_unpacklo_epi64(rows[0], rows[1]), b = _mm256_unpackhi_epi64(rows[0], rows[1]);
  const word c = _mm256_unpacklo_epi64(rows[2], rows[3]), d = _mm256_unpackhi_epi64(rows[2], rows[3]);
  rows[0] = _mm256_permute2x128_si256(a, c, 0x20);
  rows[1] = _mm256_permute2x128_si256(b, d, 0x20);
  rows[2] = _mm256_permute2x128_si256(a, c, 0x31);
  rows[3] = _mm256_permute2x128_si256(b, d, 0x31);
}

#include "kernels/cpu/tiles.h"

}  // namespace

extern const Kernel cpu_tiles_avx2;
constexpr Kernel cpu_tiles_avx2 = {
    .summary = "4 tiles of 52 x 48 at once with AVX2, 6 generations per visit, inactive ones sleep",
    .layout = Layout::tiles,
    .max_steps = tile_halo,
    .supports = {.families = life_like | nine_cells},
    .needs = {.avx2 = true},
    .contract = TileContract{.bind = bind_tiles, .lanes = 64 * parts},
};

}  // namespace moorea::kernels
