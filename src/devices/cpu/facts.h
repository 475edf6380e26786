// SPDX-License-Identifier: MIT
// Memory and clock of the CPU.
#pragma once

#include <string>

#include "moorea/lab/device_facts.h"

namespace moorea {

/// `cpus` and `cpuinfo` are Linux's folder and file about processors.
DeviceFacts cpu_facts(const std::string& cpus = "/sys/devices/system/cpu",
                      const std::string& cpuinfo = "/proc/cpuinfo");

}  // namespace moorea
