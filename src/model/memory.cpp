// SPDX-License-Identifier: MIT
#include "model/memory.h"

#include <fmt/core.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>

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

std::uint64_t chosen_memory() {
  const char* const text = std::getenv("MOOREA_MEMORY");
  return text == nullptr || *text == '\0' ? no_limit : parse_bytes(text, "MOOREA_MEMORY");
}

std::uint64_t available_memory() {
  return std::min({chosen_memory(), system_memory(), control_group_memory(), address_space()});
}

double grid_bytes(std::int64_t width, std::int64_t height) {
  return (static_cast<double>(width) + 63) / 64 * 8 * static_cast<double>(height);
}

void require_memory(double bytes, const std::string& what) {
  const std::uint64_t available = available_memory();
  if (bytes <= static_cast<double>(available)) return;
  throw Error(fmt::format("{} needs {} of memory, but {} are available", what, human_bytes(bytes),
                          human_bytes(static_cast<double>(available))),
              ErrorKind::memory);
}

}  // namespace moorea
