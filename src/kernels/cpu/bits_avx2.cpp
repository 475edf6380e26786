// SPDX-License-Identifier: MIT
// 256 cells per vector: four consecutive words of a row, neighbours across words from two unaligned loads,
// full adders, any rule. For CPUs with AVX2 and without AVX-512.
#include <immintrin.h>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

using word = __m256i;
constexpr int lanes = 4;

inline word spread(unsigned bit) { return _mm256_set1_epi64x(-static_cast<long long>(bit)); }

#include "kernels/common/bits.h"

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

#include "kernels/cpu/rows.h"

BlockBinding bind(RuleMask) { return {.step = step_rows}; }

}  // namespace

extern const Kernel cpu_bits_avx2;
constexpr Kernel cpu_bits_avx2 = {
    .summary = "256 cells per vector with AVX2, full adders, any rule",
    .layout = Layout::bits,
    .max_steps = 1,
    .needs = {.avx2 = true},
    .contract = BlockContract{.bind = bind, .operations_per_word = 68},
};

}  // namespace moorea::kernels
