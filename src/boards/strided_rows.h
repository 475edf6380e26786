// SPDX-License-Identifier: MIT
// Rows between the packed form and the strided one: bit i of vector j is column j + stride * i.
#pragma once

#include <cstdint>

namespace moorea {

/// Converts a packed row of `width` cells (bits beyond are 0) to `stride` vectors of `lanes` cells (a
/// multiple of 64).
void to_strided(const std::uint64_t* packed, std::int64_t width, std::uint64_t* vectors, std::int64_t stride,
                int lanes);

/// Converts a strided row to a packed one, of which all words are written.
void from_strided(const std::uint64_t* vectors, std::int64_t stride, int lanes, std::uint64_t* packed,
                  std::int64_t width);

}  // namespace moorea
