// SPDX-License-Identifier: MIT
// Trial of a configuration in a process of its own. OpenCL for CPUs compiles work-groups of different shapes
// into different code, some of which crashes (PoCL 3.1), and a kernel from a file does what its author wrote:
// either would end a sweep with all its measurements.
#pragma once

#include <string_view>

#include "lab/configuration.h"
#include "lab/devices.h"

namespace app {

bool may_crash(const Configuration& configuration, const Devices& devices);

/// First words of the reason of a configuration that crashed.
constexpr std::string_view crash_words = "it crashes";

/// Runs the configuration in a process of its own. Throws moorea::Error (run) if a signal ends that process;
/// other errors are left to this process, which reports them.
void try_apart(const Configuration& configuration);

}  // namespace app
