// SPDX-License-Identifier: MIT
// Numbers and lists as people write and read them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "moorea/box.h"

namespace app {

/// Parses 1000, 1e6, 1.5e6, 2^20, 10k, 1M or 2G. Throws moorea::Error (usage) naming `what` for other texts
/// and for values that are not integers below 2^63.
std::uint64_t parse_count(const std::string& text, const std::string& what);

/// Parses decimal digits, from 0 up to `limit`. Throws as parse_count.
std::uint64_t parse_whole(const std::string& text, const std::string& what, std::uint64_t limit);

/// Parses decimal digits, from 1 up to `limit`. Throws as parse_count.
std::int64_t parse_from_one(const std::string& text, const std::string& what, std::int64_t limit);

/// Parses 640x480, or 1000 for a square; each number as in parse_count.
moorea::Size parse_size(const std::string& text);

/// Parses a time in seconds: a number with s, m or h, such as 30s, 10m or 1.5h. Throws moorea::Error (usage).
double parse_duration(const std::string& text, const std::string& what);
/// Whether the text ends as a time does.
bool is_duration(const std::string& text);

/// Formats a number for a sentence, without an exponent, rounded to so many significant digits: 10,500; 2.5;
/// 0.012.
std::string human_number(double value, int digits = 3);

/// Formats a rate for a sentence: 12.3 million, 1.23 billion, 2.16 quadrillion.
std::string human_rate(double per_second);

/// Formats a rate for a table: 12.34 M, 4.592 G, 2.16 P.
std::string short_number(double value, int digits = 3);
std::string human_seconds(double seconds);

/// "1 soup", "2 soups": a number and a noun whose plural ends in s.
std::string counted(std::uint64_t count, std::string_view noun);

/// Joins a list: "a, b, c" with ", " between.
std::string joined(std::span<const std::string> parts, std::string_view between);
std::string joined(std::span<const char* const> parts, std::string_view between);

}  // namespace app
