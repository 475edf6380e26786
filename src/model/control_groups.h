// SPDX-License-Identifier: MIT
// Limits of this process's control groups (cgroups, version 1 and 2), with which containers, systemd slices
// and batch systems limit CPU time and memory. Limits apply along the whole path from the process's own group
// to the root.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace moorea {

constexpr std::uint64_t no_memory_limit = std::numeric_limits<std::uint64_t>::max();

/// Returns the CPU time granted, 1.5 for one and a half CPUs; infinity if unlimited. `root` is prepended to
/// /proc and /sys, for tests.
double control_group_cpus(const std::string& root = "");

/// Returns the bytes that may still be used, the minimum along the path; no_memory_limit if unlimited. The
/// page cache counts as free, because the system reclaims it.
std::uint64_t control_group_memory(const std::string& root = "");

}  // namespace moorea
