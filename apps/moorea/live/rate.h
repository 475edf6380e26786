// SPDX-License-Identifier: MIT
// A rate over the last seconds of a clock: the work of that time divided by it, however long single pieces of
// work took.
#pragma once

#include <deque>

namespace app {

constexpr double rate_seconds = 2;

class Rate {
 public:
  /// Starts again at this time; earlier samples are dropped.
  void restart(double now) { samples_.assign(1, {now, 0}); }

  /// Adds the amount of work since the last call or restart().
  void add(double now, double amount) {
    if (samples_.empty()) restart(now);
    samples_.push_back({now, samples_.back().total + amount});
    // Keeps one sample that is old enough, so that the samples cover the time
    while (samples_.size() > 2 && samples_[1].time <= now - rate_seconds) samples_.pop_front();
  }

  /// Seconds over which per_second() averages.
  double covered() const { return samples_.empty() ? 0 : samples_.back().time - samples_.front().time; }

  /// 0 if no time is covered.
  double per_second() const {
    return covered() > 0 ? (samples_.back().total - samples_.front().total) / covered() : 0;
  }

 private:
  struct Sample {
    double time, total;
  };
  std::deque<Sample> samples_;
};

}  // namespace app
