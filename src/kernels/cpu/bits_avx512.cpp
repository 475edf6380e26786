// SPDX-License-Identifier: MIT
// 512 cells per vector: eight consecutive words of a row, neighbours across words from two unaligned loads,
// full adders that the compiler turns into three-input logic, any rule. For CPUs with AVX-512.
#include <immintrin.h>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

using word = __m512i;
constexpr int lanes = 8;

inline word spread(unsigned bit) { return _mm512_set1_epi64(-static_cast<long long>(bit)); }

#include "kernels/common/bits.h"

inline word load(const std::uint64_t* p) { return _mm512_loadu_si512(p); }
inline void store(std::uint64_t* p, word value) { _mm512_storeu_si512(p, value); }

inline __mmask8 first(int n) { return static_cast<__mmask8>((1 << n) - 1); }
inline word load_first(const std::uint64_t* p, int n) { return _mm512_maskz_loadu_epi64(first(n), p); }
inline void store_first(std::uint64_t* p, word value, int n) { _mm512_mask_storeu_epi64(p, first(n), value); }

#include "kernels/cpu/rows.h"

BlockBinding bind(RuleMask) { return {.step = step_rows}; }

}  // namespace

extern const Kernel cpu_bits_avx512;
constexpr Kernel cpu_bits_avx512 = {
    .summary = "512 cells per vector with AVX-512, full adders, any rule",
    .layout = Layout::bits,
    .max_steps = 1,
    .needs = {.avx512 = true},
    // The compiler (g++ 12) fuses the 68 operations into 47 by three-input instructions
    .contract = BlockContract{.bind = bind, .operations_per_word = 47},
};

}  // namespace moorea::kernels
