// SPDX-License-Identifier: MIT
// Amounts of memory as people write and read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)
namespace moorea {

/// Parses a number of bytes: a decimal number with an optional suffix K, M, G or T, powers of 1024, such as
/// 100000, 512M or 1.5G. Throws Error (usage), which begins with `what`, for any other text and unless
/// 1 <= bytes < 2^63.
std::uint64_t parse_bytes(std::string_view text, std::string_view what);

/// Formats bytes with a unit from bytes to EiB, such as "512.0 MiB".
std::string human_bytes(double bytes);

}  // namespace moorea
#pragma GCC visibility pop
