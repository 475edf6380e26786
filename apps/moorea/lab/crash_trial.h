// SPDX-License-Identifier: MIT
// Trial of a configuration in a process of its own. OpenCL for CPUs compiles work-groups of different shapes
// into different code, some of which crashes (PoCL 3.1), and a kernel from a file does what its author wrote:
// a crash or an endless loop would cost a sweep all its measurements.
#pragma once

#include <string_view>

#include "lab/configuration.h"
#include "lab/devices.h"

namespace app {

bool may_crash(const Configuration& configuration, const Devices& devices);

/// First words of the reason of a configuration that crashed.
constexpr std::string_view crash_words = "it crashes";

/// Runs the configuration, which is sampled for at most `budget` seconds, in a process of its own. Throws
/// moorea::Error (run) if a signal ends that process, or if a kernel from a file does not end in a time that
/// grows with the budget and the world; other errors are left to this process, which reports them. Returns
/// after an interruption.
void try_apart(const Configuration& configuration, double budget);

}  // namespace app
