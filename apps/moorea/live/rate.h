// SPDX-License-Identifier: MIT
// A rate over the last seconds of a clock: what it says follows from what was done in that time and nothing
// else, however long single pieces of work took.
#pragma once

#include <deque>

namespace app {

constexpr double rate_seconds = 2;

class Rate {
 public:
  /// From this time on, with nothing known of before.
  void restart(double now) { samples_.assign(1, {now, 0}); }

  /// So much has been done since the last call or restart().
  void add(double now, double amount) {
    if (samples_.empty()) restart(now);
    samples_.push_back({now, samples_.back().total + amount});
    // The first one kept is the last that is old enough, so that the time between is covered
    while (samples_.size() > 2 && samples_[1].time <= now - rate_seconds) samples_.pop_front();
  }

  /// Seconds that per_second() is an average over.
  double covered() const { return samples_.empty() ? 0 : samples_.back().time - samples_.front().time; }

  /// 0 where nothing is known.
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
