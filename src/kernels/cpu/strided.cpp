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

inline word lanes_up(word v) { return v << 1; }
inline word lanes_down(word v) { return v >> 1; }
inline word rotate_up(word v) { return v << 1 | v >> 63; }
inline word rotate_down(word v) { return v >> 1 | v << 63; }

#include "kernels/cpu/strided.h"

Binding bind(RuleMask rule, const DeviceTraits&) { return bind_strided(rule); }

}  // namespace

extern const Kernel cpu_strided;
const Kernel cpu_strided = {"64 strided columns per word, 32 generations per pass in place", Layout::strided,
                            max_sweep_steps, bind, word_lanes};

}  // namespace moorea::kernels
