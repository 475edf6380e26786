// SPDX-License-Identifier: MIT
// 256 columns per vector in the strided layout (see strided.h): shifts only for the halo columns, up to 32
// generations per pass over memory, in place. Fastest for busy worlds on CPUs with AVX2.
#include <immintrin.h>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

using word = __m256i;

inline word spread(unsigned bit) { return _mm256_set1_epi64x(-static_cast<long long>(bit)); }

#include "kernels/common/bits.h"

#include "kernels/cpu/logic_avx2.h"
#include "kernels/cpu/rules.h"

#include "kernels/cpu/shifts_avx2.h"

inline bool is_full(word v) { return _mm256_testc_si256(v, spread(1)) != 0; }

#include "kernels/cpu/strided.h"

}  // namespace

extern const Kernel cpu_strided_avx2;
constexpr Kernel cpu_strided_avx2 = {
    .summary = "256 strided columns per vector with AVX2, 32 generations per pass in place",
    .layout = Layout::strided,
    .max_steps = max_sweep_steps,
    .supports = {.families = life_like | nine_cells},
    .needs = {.avx2 = true},
    .contract = StridedContract{.bind = bind_strided, .lanes = word_lanes},
};

}  // namespace moorea::kernels
