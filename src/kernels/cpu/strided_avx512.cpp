// SPDX-License-Identifier: MIT
// 512 columns per vector in the strided layout (see strided.h): shifts only for the halo columns, up to 32
// generations per pass over memory, in place. Fastest for busy worlds on CPUs with AVX-512.
#include <immintrin.h>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

using word = __m512i;

inline word spread(unsigned bit) { return _mm512_set1_epi64(-static_cast<long long>(bit)); }

#include "kernels/common/bits.h"

inline word majority(word a, word b, word c) { return _mm512_ternarylogic_epi64(a, b, c, 0xE8); }
#define LUT3(a, b, c, table) _mm512_ternarylogic_epi64(a, b, c, table)

#include "kernels/cpu/rules.h"

#include "kernels/cpu/shifts_avx512.h"

inline bool is_full(word v) { return _mm512_cmpneq_epi64_mask(v, spread(1)) == 0; }

#include "kernels/cpu/strided.h"

}  // namespace

extern const Kernel cpu_strided_avx512;
constexpr Kernel cpu_strided_avx512 = {
    .summary = "512 strided columns per vector with AVX-512, 32 generations per pass in place",
    .layout = Layout::strided,
    .max_steps = max_sweep_steps,
    .supports = {.families = life_like | nine_cells},
    .needs = {.avx512 = true},
    .contract = StridedContract{.bind = bind_strided, .lanes = word_lanes},
};

}  // namespace moorea::kernels
