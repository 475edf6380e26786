// SPDX-License-Identifier: MIT
// One tile at a time, six generations in 64 machine words: for mostly inactive worlds, on CPUs without vector
// units.
#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

using word = std::uint64_t;
using Words = std::uint64_t;
constexpr int parts = 1;

inline word spread(unsigned bit) { return -static_cast<word>(bit); }

#include "kernels/common/bits.h"

inline word majority(word a, word b, word c) { return (b & c) | (a & (b ^ c)); }

#include "kernels/cpu/rules.h"

inline word load(const std::uint64_t* p) { return *p; }
inline void store(std::uint64_t* p, word value) { *p = value; }
inline word load_first(const std::uint64_t* p, int) { return *p; }
inline void store_first(std::uint64_t* p, word value, int) { *p = value; }
inline bool any(word value) { return value != 0; }
inline void transpose(word*) {}

#include "kernels/cpu/tiles.h"

}  // namespace

extern const Kernel cpu_tiles;
constexpr Kernel cpu_tiles = {
    .summary =
        "tiles of 52 x 48, 6 generations per visit, inactive ones sleep; portable, slower than with AVX",
    .layout = Layout::tiles,
    .max_steps = tile_halo,
    .contract = TileContract{.bind = bind_tiles, .lanes = 64 * parts},
};

}  // namespace moorea::kernels
