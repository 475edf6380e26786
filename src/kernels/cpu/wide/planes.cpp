// SPDX-License-Identifier: MIT
// Larger than Life in planes of 64 strided columns per machine word. Portable.
#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

using word = std::uint64_t;

inline word spread(unsigned bit) { return -static_cast<word>(bit); }
inline word xor3(word a, word b, word c) { return a ^ b ^ c; }
inline word majority(word a, word b, word c) { return (b & c) | (a & (b ^ c)); }
inline word borrow(word a, word b, word c) { return (b & c) | (~a & (b ^ c)); }
inline word turns(word c, word v, word d) { return c & (v ^ d); }

#include "kernels/cpu/shifts.h"

#include "kernels/cpu/halo_columns.h"

#include "kernels/cpu/states/ages.h"

#include "kernels/cpu/wide/planes.h"

}  // namespace

extern const Kernel cpu_wide_planes;
constexpr Kernel cpu_wide_planes = {
    .summary =
        "Larger than Life, 64 strided columns per word, counts in bit planes by sliding windows; portable",
    .layout = Layout::planes,
    .max_steps = 1,
    .supports = {.families = larger_than_life},
    .contract = StatesContract{.bind = bind_wide, .lanes = word_lanes},
};

}  // namespace moorea::kernels
