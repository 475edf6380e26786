// SPDX-License-Identifier: MIT
#include "numbers.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <cstdlib>

#include "moorea/error.h"

namespace app {
namespace {

[[noreturn]] void bad_number(const std::string& what, const std::string& text, const std::string& expected) {
  throw moorea::Error(fmt::format("{} \"{}\": expected {}", what, text, expected), moorea::ErrorKind::usage);
}

// A decimal number with one of `suffixes` behind it, each worth `base` times the one before.
double scaled(const std::string& text, const std::string& suffixes, double base) {
  char* end = nullptr;
  if (text.empty() || text.find_first_not_of("0123456789.eEkKmMgGtT+") != std::string::npos) return -1;
  double value = std::strtod(text.c_str(), &end);
  if (end == text.c_str()) return -1;
  if (*end != '\0') {
    const std::size_t power = suffixes.find(static_cast<char>(std::tolower(*end)));
    if (power == std::string::npos || end[1] != '\0') return -1;
    value *= std::pow(base, static_cast<double>(power + 1));
  }
  return value;
}

}  // namespace

std::uint64_t parse_count(const std::string& text, const std::string& what) {
  const char* expected = "a whole number such as 1000, 1e6, 2^20, 10k or 1M";
  const std::size_t caret = text.find('^');
  double value = -1;
  if (caret != std::string::npos) {
    const double base = scaled(text.substr(0, caret), "", 1),
                 exponent = scaled(text.substr(caret + 1), "", 1);
    if (base >= 0 && exponent >= 0) value = std::pow(base, exponent);
  } else if (text.find_first_not_of("0123456789") == std::string::npos && !text.empty() &&
             text.size() <= 18) {
    return std::stoull(text);
  } else {
    value = scaled(text, "kmgt", 1000);
  }
  if (!(value >= 0) || value != std::floor(value)) bad_number(what, text, expected);
  if (value >= 0x1p63) bad_number(what, text, "a number below 2^63");
  return static_cast<std::uint64_t>(value);
}

std::uint64_t parse_bytes(const std::string& text) {
  const double value = scaled(text, "kmgt", 1024);
  if (!(value >= 1) || value >= 0x1p63) bad_number("memory", text, "bytes, such as 512M or 4G");
  return static_cast<std::uint64_t>(value);
}

Size parse_size(const std::string& text) {
  const std::size_t by = text.find_first_of("xX");
  Size size;
  try {
    size.width = static_cast<std::int64_t>(parse_count(text.substr(0, by), "size"));
    size.height = by == std::string::npos
                      ? size.width
                      : static_cast<std::int64_t>(parse_count(text.substr(by + 1), "size"));
  } catch (const moorea::Error&) {
    bad_number("size", text, "WIDTHxHEIGHT in cells, such as 4096x4096 or 640x480");
  }
  if (size.width == 0 || size.height == 0) bad_number("size", text, "at least 1x1");
  return size;
}

std::string human_rate(double per_second) {
  if (per_second >= 1e12) return fmt::format("{:.3g} trillion", per_second / 1e12);
  if (per_second >= 1e9) return fmt::format("{:.3g} billion", per_second / 1e9);
  if (per_second >= 1e6) return fmt::format("{:.3g} million", per_second / 1e6);
  return fmt::format("{:.0f}", per_second);
}

std::string human_seconds(double seconds) {
  if (seconds < 0.1) return fmt::format("{:.3g} ms", seconds * 1e3);
  if (seconds < 100) return fmt::format("{:.3g} s", seconds);
  const auto whole = static_cast<long long>(std::min(seconds, 1e15));
  if (whole < 6000) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  return fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

std::string human_bytes(double bytes) {
  for (const char* unit : {"bytes", "KiB", "MiB", "GiB"}) {
    if (bytes < 1024) return fmt::format("{:.4g} {}", bytes, unit);
    bytes /= 1024;
  }
  return fmt::format("{:.4g} TiB", bytes);
}

}  // namespace app
