// SPDX-License-Identifier: MIT
#include "model/memory.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>

#include "moorea/error.h"

namespace moorea {
namespace {

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

std::uint64_t number_in(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t value = 0;
  return file >> value ? value : no_limit;  // "max", or no such file
}

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

std::uint64_t control_group_memory(const std::string& limit_file, const std::string& used_file) {
  const std::uint64_t limit = number_in(limit_file), used = number_in(used_file);
  if (limit == no_limit || used == no_limit) return no_limit;
  return limit > used ? limit - used : 0;
}

// MOOREA_MEMORY, in bytes or with K, M, G or T behind the number; anything else is ignored.
std::uint64_t chosen_limit() {
  const char* text = std::getenv("MOOREA_MEMORY");
  if (text == nullptr) return no_limit;
  char* end = nullptr;
  const double value = std::strtod(text, &end);
  const char* const units = "KMGT";
  const char* unit =
      *end != '\0' ? std::strchr(units, std::toupper(static_cast<unsigned char>(*end))) : nullptr;
  const double bytes = unit == nullptr ? value : std::ldexp(value, 10 * static_cast<int>(unit - units + 1));
  return end != text && bytes >= 0 && bytes < 0x1p63 ? static_cast<std::uint64_t>(bytes) : no_limit;
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
  return std::min({chosen_limit(), system_memory(),
                   control_group_memory("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
                   control_group_memory("/sys/fs/cgroup/memory/memory.limit_in_bytes",
                                        "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
                   address_space()});
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
