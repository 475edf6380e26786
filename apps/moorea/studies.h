// SPDX-License-Identifier: MIT
// The studies that the ladder exists for, as recipes: what is measured, what is drawn, and how what it says
// is computed.
#pragma once

#include <span>

#include "report.h"

namespace app {

struct Study {
  const char* name;
  const char* title;
  const char* question;
  /// Throws moorea::Error (unavailable) where this machine has nothing to study.
  void (*run)(Report& report);
};

std::span<const Study> studies();

/// Times every reduction instead of kernels.
void study_reduction(Report& report);

}  // namespace app
