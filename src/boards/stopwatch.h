// SPDX-License-Identifier: MIT
// Seconds since an object was made.
#pragma once

#include <chrono>

namespace moorea {

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace moorea
