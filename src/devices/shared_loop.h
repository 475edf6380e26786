// SPDX-License-Identifier: MIT
// Shares the turns of a loop among the threads of a team as a schedule says. OpenMP has the same in its
// pragmas; here it is a few lines because threads start in one place only, and to work without OpenMP.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "moorea/tiles.h"

namespace moorea {

class SharedLoop {
 public:
  SharedLoop(const TileSchedule& schedule, std::int64_t count)
      : kind_(schedule.kind), chunk_(schedule.chunk), count_(count) {}

  /// Calls turn(i) for this thread's share of 0 to count - 1; all threads of the team call it once.
  template <class Turn>
  void run(int thread, int threads, const Turn& turn) {
    if (kind_ == TileSchedule::Kind::fixed) {
      run_fixed(thread, threads, turn);
    } else {
      for (Range range = next(threads); range.first < range.last; range = next(threads)) {
        for (std::int64_t i = range.first; i < range.last; ++i) turn(i);
      }
    }
  }

 private:
  struct Range {
    std::int64_t first, last;
  };

  template <class Turn>
  void run_fixed(int thread, int threads, const Turn& turn) const {
    if (chunk_ == 0) {
      for (std::int64_t i = count_ * thread / threads; i < count_ * (thread + 1) / threads; ++i) turn(i);
      return;
    }
    for (std::int64_t first = chunk_ * thread; first < count_; first += chunk_ * threads) {
      for (std::int64_t i = first; i < std::min(first + chunk_, count_); ++i) turn(i);
    }
  }

  Range next(int threads) {
    const std::int64_t least = std::max<std::int64_t>(chunk_, 1);
    std::int64_t first = next_.load(std::memory_order_relaxed), last = 0;
    do {
      const std::int64_t left = count_ - first;
      const std::int64_t size = kind_ == TileSchedule::Kind::guided ? std::max(left / threads, least) : least;
      last = first + std::min(size, left);
    } while (first < count_ && !next_.compare_exchange_weak(first, last, std::memory_order_relaxed));
    return {first, last};
  }

  TileSchedule::Kind kind_;
  std::int64_t chunk_, count_;
  std::atomic<std::int64_t> next_{0};
};

}  // namespace moorea
