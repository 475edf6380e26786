// SPDX-License-Identifier: MIT
#include "moorea/support/bytes.h"

#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <iterator>
#include <system_error>

#include "moorea/error.h"

namespace moorea {

std::uint64_t parse_bytes(std::string_view text, std::string_view what) {
  const char* const end = text.data() + text.size();
  double bytes = 0;
  const auto [rest, error] = std::from_chars(text.data(), end, bytes);
  bool valid = error == std::errc();
  if (valid && rest != end) {
    const std::size_t unit = std::string_view("KMGTkmgt").find(*rest);
    valid = rest + 1 == end && unit != std::string_view::npos;
    bytes = std::ldexp(bytes, 10 * static_cast<int>(unit % 4 + 1));
  }
  // Also false for NaN
  if (!valid || !(bytes >= 1 && bytes < 0x1p63)) {
    throw Error(fmt::format("{} \"{}\": expected bytes, such as 512M or 4G", what, text), ErrorKind::usage);
  }
  return static_cast<std::uint64_t>(bytes);
}

std::string human_bytes(double bytes) {
  const char* const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < std::size(units)) bytes /= 1024, ++unit;
  return unit == 0 ? fmt::format("{:.0f} bytes", bytes) : fmt::format("{:.1f} {}", bytes, units[unit]);
}

}  // namespace moorea
