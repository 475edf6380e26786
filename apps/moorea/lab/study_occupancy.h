// SPDX-License-Identifier: MIT
// Part of the study of registers: the same rule by kernels with more and more cases, over thread blocks.
#pragma once

#include <string>
#include <vector>

#include "lab/report.h"

namespace app {

/// Measures kernels that know two to four families of rules, and the same families as a kernel each; adds
/// nothing if they do not run here.
void study_occupancy(Report& report);

/// Findings of measurements of one rule by several kernels over thread blocks: registers and occupancy of
/// each kernel, its fastest block, and the gain of the kernel that knows one family over the one that knows
/// all.
std::vector<std::string> occupancy_findings(const Results& results);

/// Resident threads by threads per block, one line per kernel.
Chart occupancy_chart(const Results& results);

}  // namespace app
