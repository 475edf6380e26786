// SPDX-License-Identifier: MIT
#include "devices/cpu/facts.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace moorea {
namespace {

constexpr double kilo = 1000;

double kilohertz_in(const std::string& path) {
  std::ifstream file(path);
  double kilohertz = 0;
  file >> kilohertz;
  return file ? kilohertz : 0;
}

// The first line "cpu MHz : 2600.000"; virtual machines often have no other source.
double megahertz_in(const std::string& cpuinfo) {
  std::ifstream file(cpuinfo);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("cpu MHz")) continue;
    return std::strtod(line.c_str() + std::min(line.find(':') + 1, line.size()), nullptr);
  }
  return 0;
}

}  // namespace

DeviceFacts cpu_facts(const std::string& cpus, const std::string& cpuinfo) {
  DeviceFacts facts;
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  if (pages > 0 && page > 0)
    facts.memory = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page);
  facts.cores.now = kilohertz_in(cpus + "/cpu0/cpufreq/scaling_cur_freq") / kilo;
  if (facts.cores.now == 0) facts.cores.now = megahertz_in(cpuinfo);
  facts.cores.maximum = kilohertz_in(cpus + "/cpu0/cpufreq/cpuinfo_max_freq") / kilo;
  return facts;
}

}  // namespace moorea
