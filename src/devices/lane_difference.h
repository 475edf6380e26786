// SPDX-License-Identifier: MIT
// How a world differs from its state some generations before; for host and device code.
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define MOOREA_HOST_AND_DEVICE __host__ __device__
#else
#define MOOREA_HOST_AND_DEVICE
#endif

namespace moorea {

/// A number for a cell's position. That of a set of cells is the exclusive or of theirs: two different sets
/// have the same one with a probability of 2^-64. The finalizer of SplitMix64 (Steele, Lea and Flood 2014).
MOOREA_HOST_AND_DEVICE constexpr std::uint64_t cell_hash(std::int64_t column, std::int64_t row) {
  std::uint64_t value = static_cast<std::uint64_t>(row) << 32 | static_cast<std::uint64_t>(column);
  value += 0x9E3779B97F4A7C15;
  value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9;
  value = (value ^ value >> 27) * 0x94D049BB133111EB;
  return value ^ value >> 31;
}

struct LaneDifference {
  std::uint64_t border = 0;  ///< cell_hash() of the set of cells near the world's border that differ
  std::uint32_t cells = 0;   ///< number of all that differ
};

}  // namespace moorea
