// SPDX-License-Identifier: MIT
#include "model/memory.h"

#include <fmt/core.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string_view>

#include "model/control_groups.h"
#include "moorea/error.h"

namespace moorea {
namespace {

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

std::uint64_t system_memory() {
  std::ifstream file("/proc/meminfo");
  for (std::string key; file >> key;) {
    std::uint64_t kib = 0;
    if (key == "MemAvailable:" && file >> kib) return kib * 1024;
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page)
                               : no_limit;
}

// MOOREA_MEMORY, in bytes or with a suffix K, M, G or T.
std::uint64_t chosen_limit() {
  const char* text = std::getenv("MOOREA_MEMORY");
  if (text == nullptr || *text == '\0') return no_limit;
  char* end = nullptr;
  const double value = std::strtod(text, &end);
  const std::string_view units = "KMGT";
  const std::size_t unit =
      *end == '\0' ? units.size()
                   : units.find(static_cast<char>(std::toupper(static_cast<unsigned char>(*end))));
  const bool one_unit = *end == '\0' || (unit != std::string_view::npos && end[1] == '\0');
  const double bytes = *end == '\0' ? value : std::ldexp(value, 10 * static_cast<int>(unit + 1));
  if (end == text || !one_unit || !(bytes >= 0) || bytes >= 0x1p63) {
    throw Error(fmt::format("MOOREA_MEMORY is \"{}\": expected bytes, such as 512M or 4G", text),
                ErrorKind::usage);
  }
  return static_cast<std::uint64_t>(bytes);
}

std::uint64_t address_space() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return no_limit;
  std::ifstream file("/proc/self/statm");
  std::uint64_t pages = 0;
  file >> pages;
  const std::uint64_t used = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

}  // namespace

std::uint64_t available_memory() {
  return std::min({chosen_limit(), system_memory(), control_group_memory(), address_space()});
}

std::string human_bytes(double bytes) {
  const char* const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < std::size(units)) bytes /= 1024, ++unit;
  return unit == 0 ? fmt::format("{:.0f} bytes", bytes) : fmt::format("{:.1f} {}", bytes, units[unit]);
}

double grid_bytes(std::int64_t width, std::int64_t height) {
  return (static_cast<double>(width) + 63) / 64 * 8 * static_cast<double>(height);
}

void require_memory(double bytes, const std::string& what) {
  const std::uint64_t available = available_memory();
  if (bytes <= static_cast<double>(available)) return;
  throw Error(fmt::format("{} needs {} of memory, but {} are available", what, human_bytes(bytes),
                          human_bytes(static_cast<double>(available))));
}

}  // namespace moorea
