// SPDX-License-Identifier: MIT
// What the control groups of this process grant it (cgroups, version 1 and 2): containers, systemd slices and
// batch systems limit CPU time and memory with them. Limits hold along the whole path from the process's own
// group up.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace moorea {

constexpr std::uint64_t no_memory_limit = std::numeric_limits<std::uint64_t>::max();

/// CPUs' time that the groups grant, 1.5 for one and a half; infinity where nothing limits it. `root` is put
/// before /proc and /sys, for tests.
double control_group_cpus(const std::string& root = "");

/// Bytes that may still be used, the least along the path; no_memory_limit where nothing limits them. The
/// page cache counts as free, as the system gives it back.
std::uint64_t control_group_memory(const std::string& root = "");

}  // namespace moorea
