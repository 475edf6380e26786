// SPDX-License-Identifier: MIT
// Progress of a sweep on the terminal: the number of its measurements that are done, and the time left.
#pragma once

#include <cstddef>

#include "cli/clock.h"
#include "cli/status_line.h"
#include "lab/configuration.h"

namespace app {

class SweepProgress {
 public:
  explicit SweepProgress(int rounds) : rounds_(rounds) {}

  /// Adds measurements that are planned.
  void plan(std::size_t measurements) { planned_ += measurements; }
  void drop(std::size_t measurements) { planned_ -= measurements; }

  /// Shows the measurement that begins; `round` is counted from 0.
  void show(const Configuration& configuration, int round);
  void add_done() { ++done_; }

  /// Clears the line before other output.
  void clear() { status_.clear(); }

 private:
  StatusLine status_;
  Clock::time_point begin_ = Clock::now();
  int rounds_;
  std::size_t done_ = 0, planned_ = 0;
};

}  // namespace app
