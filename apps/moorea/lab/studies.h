// SPDX-License-Identifier: MIT
// The studies that the ladder exists for, as recipes: what is measured, what is drawn, and how what it says
// is computed.
#pragma once

#include <span>

#include "lab/report.h"

namespace app {

struct Study {
  const char* name;
  const char* title;
  const char* question;
  /// Throws moorea::Error (unavailable) where this machine has nothing to study.
  void (*run)(Report& report);
};

std::span<const Study> studies();

/// "medians +12.3 %", or by how many times they differ where that is more than twofold.
std::string medians_apart(double speed);

/// Times every reduction instead of kernels.
void study_reduction(Report& report);

}  // namespace app
