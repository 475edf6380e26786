// SPDX-License-Identifier: MIT
// Numbers and lists as people write and read them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "moorea/box.h"

namespace app {

/// 1000, 1e6, 1.5e6, 2^20, 10k, 1M, 2G. Throws moorea::Error (usage) naming `what` for anything else and for
/// what is not a whole number below 2^63.
std::uint64_t parse_count(const std::string& text, const std::string& what);

/// Decimal digits alone, up to `limit`. Throws as parse_count.
std::uint64_t parse_whole(const std::string& text, const std::string& what, std::uint64_t limit);

/// The same, without 0.
std::int64_t parse_from_one(const std::string& text, const std::string& what, std::int64_t limit);

/// 640x480, or 1000 for a square; each number as in parse_count.
moorea::Size parse_size(const std::string& text);

/// As a sentence has it, without an exponent: 10,500; 2.5; 0.012. So many digits count, and the rest are
/// zeros.
std::string human_number(double value, int digits = 3);

/// 12.3 million, 1.23 billion, 2.16 quadrillion
std::string human_rate(double per_second);

/// A rate for a table: 12.34 M, 4.592 G, 2.16 P
std::string short_number(double value, int digits = 3);
std::string human_seconds(double seconds);

/// "a, b, c" of a list and ", ".
std::string joined(std::span<const std::string> parts, std::string_view between);
std::string joined(std::span<const char* const> parts, std::string_view between);

}  // namespace app
