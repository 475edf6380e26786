// SPDX-License-Identifier: MIT
// The clock of all measurements and intervals.
#pragma once

#include <chrono>

namespace app {

using Clock = std::chrono::steady_clock;

/// Seconds since `begin`.
inline double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace app
