// SPDX-License-Identifier: MIT
// 64 columns per machine word in the strided layout (see strided.h): shifts only for the halo columns, up to
// 32 generations per pass over memory, in place. Faster than cpu/bits on CPUs without vector units.
#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

using word = std::uint64_t;

inline word spread(unsigned bit) { return -static_cast<word>(bit); }

#include "kernels/common/bits.h"

inline word majority(word a, word b, word c) { return (b & c) | (a & (b ^ c)); }

#include "kernels/cpu/rules.h"

#include "kernels/cpu/shifts.h"

inline bool is_full(word v) { return v == ~word{0}; }

#include "kernels/cpu/strided.h"

}  // namespace

extern const Kernel cpu_strided;
constexpr Kernel cpu_strided = {
    .summary =
        "64 strided columns per word, 32 generations per pass in place; portable, slower than with AVX",
    .layout = Layout::strided,
    .max_steps = max_sweep_steps,
    .contract = StridedContract{.bind = bind_strided, .lanes = word_lanes},
};

}  // namespace moorea::kernels
