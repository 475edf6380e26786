// SPDX-License-Identifier: MIT
#include "cli/numbers.h"

#include <fmt/core.h>

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <vector>

#include "moorea/error.h"

namespace app {
namespace {

[[noreturn]] void bad_number(const std::string& what, const std::string& text, const std::string& expected) {
  throw moorea::Error(fmt::format("{} \"{}\": expected {}", what, text, expected), moorea::ErrorKind::usage);
}

// A decimal number as an integer: its digits without the point, times 10^exponent.
struct Decimal {
  std::uint64_t digits = 0;
  int exponent = 0;
};

constexpr std::uint64_t largest = INT64_MAX;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// value * factor; empty if it exceeds the limit
std::optional<std::uint64_t> times(std::uint64_t value, std::uint64_t factor, std::uint64_t limit = largest) {
  if (factor != 0 && value > limit / factor) return std::nullopt;
  return value * factor;
}

// Digits, a point, digits, and e with an exponent; moves `at` past them.
std::optional<Decimal> read_decimal(const std::string& text, std::size_t& at) {
  Decimal decimal;
  bool any = false, point = false;
  for (; at < text.size() && (is_digit(text[at]) || (text[at] == '.' && !point)); ++at) {
    if (text[at] == '.') {
      point = true;
      continue;
    }
    any = true;
    const auto shifted = times(decimal.digits, 10);
    if (!shifted || *shifted > largest - static_cast<unsigned>(text[at] - '0')) return std::nullopt;
    decimal.digits = *shifted + static_cast<unsigned>(text[at] - '0');
    if (point) --decimal.exponent;
  }
  if (!any) return std::nullopt;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    std::size_t end = at + 1;
    if (end < text.size() && text[end] == '+') ++end;
    int exponent = 0;
    const std::size_t first = end;
    for (; end < text.size() && is_digit(text[end]) && exponent < 1000; ++end)
      exponent = exponent * 10 + (text[end] - '0');
    if (end == first) return std::nullopt;
    decimal.exponent += exponent;
    at = end;
  }
  return decimal;
}

// The integer that a decimal equals; empty if it is none or too large.
std::optional<std::uint64_t> whole(Decimal decimal) {
  if (decimal.digits == 0) return 0;
  for (; decimal.exponent < 0; ++decimal.exponent) {
    if (decimal.digits % 10 != 0) return std::nullopt;
    decimal.digits /= 10;
  }
  std::optional<std::uint64_t> value = decimal.digits;
  for (; decimal.exponent > 0 && value; --decimal.exponent) value = times(*value, 10);
  return value;
}

std::optional<std::uint64_t> power(std::uint64_t base, std::uint64_t exponent) {
  if (base <= 1) return exponent == 0 ? 1 : base;
  std::optional<std::uint64_t> value = 1;
  for (; exponent > 0 && value; --exponent) value = times(*value, base);
  return value;
}

std::optional<std::uint64_t> count_in(const std::string& text) {
  std::size_t at = 0;
  std::optional<Decimal> number = read_decimal(text, at);
  if (!number) return std::nullopt;
  if (at < text.size() && text[at] == '^') {
    std::size_t rest = at + 1;
    const std::optional<Decimal> exponent = read_decimal(text, rest);
    if (!exponent || rest != text.size() || !whole(*number) || !whole(*exponent)) return std::nullopt;
    return power(*whole(*number), *whole(*exponent));
  }
  if (at + 1 == text.size()) {
    const std::size_t unit =
        std::string_view("kmgt").find(static_cast<char>(std::tolower(static_cast<unsigned char>(text[at]))));
    if (unit == std::string_view::npos) return std::nullopt;
    number->exponent += 3 * static_cast<int>(unit + 1);
    ++at;
  }
  return at == text.size() ? whole(*number) : std::nullopt;
}

}  // namespace

std::uint64_t parse_count(const std::string& text, const std::string& what) {
  const std::optional<std::uint64_t> value = count_in(text);
  if (!value) bad_number(what, text, "a whole number below 2^63, such as 1000, 1e6, 2^20, 10k or 1M");
  return *value;
}

std::uint64_t parse_whole(const std::string& text, const std::string& what, std::uint64_t limit) {
  std::uint64_t value = 0;
  bool good = !text.empty();
  for (const char c : text) {
    const auto shifted = is_digit(c) ? times(value, 10, limit) : std::nullopt;
    good = good && shifted && *shifted <= limit - static_cast<unsigned>(c - '0');
    if (!good) break;
    value = *shifted + static_cast<unsigned>(c - '0');
  }
  if (!good) bad_number(what, text, fmt::format("a whole number from 0 to {}", limit));
  return value;
}

std::int64_t parse_from_one(const std::string& text, const std::string& what, std::int64_t limit) {
  std::uint64_t number = 0;
  try {
    number = parse_whole(text, what, static_cast<std::uint64_t>(limit));
  } catch (const moorea::Error&) {
    // 0 is refused, too
  }
  if (number == 0) bad_number(what, text, fmt::format("a whole number from 1 to {}", limit));
  return static_cast<std::int64_t>(number);
}

moorea::Size parse_size(const std::string& text) {
  const std::size_t by = text.find_first_of("xX");
  moorea::Size size;
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

namespace {

struct Unit {
  double from;
  const char *word, *letter;
};

constexpr Unit units[] = {{1e18, "quintillion", "E"},
                          {1e15, "quadrillion", "P"},
                          {1e12, "trillion", "T"},
                          {1e9, "billion", "G"},
                          {1e6, "million", "M"}};

// The largest unit of which the rounded value has at least one; null for smaller values.
const Unit* unit_of(double value, int digits) {
  const double rounding = 1 - 0.5 * std::pow(10.0, -digits);
  for (const Unit& unit : units) {
    if (std::abs(value) >= unit.from * rounding) return &unit;
  }
  return nullptr;
}

}  // namespace

bool is_duration(const std::string& text) {
  return !text.empty() && std::string_view("smhd").find(text.back()) != std::string_view::npos;
}

double parse_duration(const std::string& text, const std::string& what) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  const bool valid = is_duration(text) && end == text.c_str() + text.size() - 1 && number > 0 &&
                     std::isfinite(number) && number <= 1e9;
  if (!valid) bad_number(what, text, "a time such as 30s, 10m, 2h or 3d");
  const char unit = text.back();
  return number * (unit == 's' ? 1 : unit == 'm' ? 60 : unit == 'h' ? 3600 : 86400);
}

std::string human_number(double value, int digits) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  // By way of the exponent that remains after rounding: 9996 has three digits of 10,000
  const std::string scientific = fmt::format("{:.{}e}", value, digits - 1);
  const int exponent = std::stoi(scientific.substr(scientific.find('e') + 1));
  std::string text = fmt::format("{:.{}f}", std::stod(scientific), std::max(0, digits - 1 - exponent));
  if (const std::size_t point = text.find('.'); point != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
  }
  std::string grouped;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t left = text.size() - i;
    if (i > 0 && left % 3 == 0 && text[i - 1] != '-') grouped += ',';
    grouped += text[i];
  }
  return grouped;
}

std::string human_rate(double per_second) {
  const Unit* const unit = unit_of(per_second, 3);
  return unit != nullptr ? fmt::format("{} {}", human_number(per_second / unit->from), unit->word)
                         : fmt::format("{:.0f}", per_second);
}

std::string short_number(double value, int digits) {
  if (const Unit* const unit = unit_of(value, digits))
    return fmt::format("{} {}", human_number(value / unit->from, digits), unit->letter);
  if (value == std::round(value) || std::abs(value) >= std::pow(10.0, digits))
    return fmt::format("{:.0f}", value);
  return human_number(value, digits);
}

std::string human_seconds(double seconds) {
  if (seconds < 0.1) return fmt::format("{:.3g} ms", seconds * 1e3);
  if (seconds < 100) return fmt::format("{:.3g} s", seconds);
  const auto whole = static_cast<long long>(std::min(seconds, 1e15));
  if (whole < 6000) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  return fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string joined(std::span<const std::string> parts, std::string_view between) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i != 0) text += between;
    text += parts[i];
  }
  return text;
}

std::string joined(std::span<const char* const> parts, std::string_view between) {
  return joined(std::vector<std::string>(parts.begin(), parts.end()), between);
}

}  // namespace app
