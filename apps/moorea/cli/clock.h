// SPDX-License-Identifier: MIT
// What is timed, and what happens from time to time, goes by this clock.
#pragma once

#include <chrono>

namespace app {

using Clock = std::chrono::steady_clock;

/// Seconds from then to now.
inline double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace app
