// SPDX-License-Identifier: MIT
#include "cli/ranges.h"

#include <fmt/core.h>

#include <cstdint>

#include "cli/numbers.h"
#include "moorea/error.h"

namespace app {
namespace {

constexpr std::size_t max_values = 10'000;

[[noreturn]] void bad_range(const std::string& what, const std::string& text, const std::string& why) {
  throw moorea::Error(
      fmt::format("{} \"{}\": {}; a range is 1:8, 0:100:+25 or 1024:16384:x2", what, text, why),
      moorea::ErrorKind::usage);
}

std::vector<std::string> numbers_in(const std::string& text, const std::string& what) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return {text};
  std::size_t second = text.find(':', colon + 1);
  std::string step = second == std::string::npos ? "+1" : text.substr(second + 1);
  if (second == std::string::npos) second = text.size();
  const std::uint64_t first = parse_count(text.substr(0, colon), what),
                      last = parse_count(text.substr(colon + 1, second - colon - 1), what);
  const char kind = step.empty() ? '\0' : step[0];
  if (kind != '+' && kind != 'x') bad_range(what, text, "its step is neither +N nor xN");
  const std::uint64_t by = parse_count(step.substr(1), what);
  if (first > last) bad_range(what, text, "its end is below its start");
  if (kind == 'x' ? by < 2 || first == 0 : by < 1) bad_range(what, text, "its step goes nowhere");
  std::vector<std::string> values;
  for (std::uint64_t value = first;; value = kind == 'x' ? value * by : value + by) {
    if (values.size() == max_values) bad_range(what, text, fmt::format("more than {} values", max_values));
    values.push_back(std::to_string(value));
    if (kind == 'x' ? value > last / by : by > last - value) return values;
  }
}

// The x between width and height: the first that is not a step's.
std::size_t between_sides(const std::string& text) {
  for (std::size_t x = text.find_first_of("xX"); x != std::string::npos;
       x = text.find_first_of("xX", x + 1)) {
    if (x > 0 && text[x - 1] != ':') return x;
  }
  return std::string::npos;
}

}  // namespace

std::vector<std::string> expand_numbers(const std::vector<std::string>& values, const std::string& what) {
  std::vector<std::string> all;
  for (const std::string& value : values) {
    for (std::string& number : numbers_in(value, what)) all.push_back(std::move(number));
  }
  return all;
}

std::vector<std::string> expand_sizes(const std::vector<std::string>& values, const std::string& what) {
  std::vector<std::string> all;
  for (const std::string& value : values) {
    const std::size_t x = between_sides(value);
    if (value.find(':') == std::string::npos) {
      all.push_back(value);
    } else if (x == std::string::npos) {
      for (std::string& side : numbers_in(value, what)) all.push_back(std::move(side));
    } else {
      const std::vector<std::string> widths = numbers_in(value.substr(0, x), what),
                                     heights = numbers_in(value.substr(x + 1), what);
      if (widths.size() * heights.size() > max_values)
        bad_range(what, value, fmt::format("more than {} values", max_values));
      for (const std::string& width : widths) {
        for (const std::string& height : heights) all.push_back(fmt::format("{}x{}", width, height));
      }
    }
  }
  return all;
}

}  // namespace app
