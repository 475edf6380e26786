// SPDX-License-Identifier: MIT
// When a part of a divided world computes and when it waits for the others: by the CPU's clock, or by that of
// its device if the board has a queue.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

#include "boards/board_queue.h"
#include "boards/row_balance.h"
#include "moorea/grid.h"

namespace moorea {

class TileTrace;

/// Where a part's periods of work are recorded; a null trace records nothing.
struct PartTrace {
  TileTrace* trace = nullptr;
  int part = 0;
  Box rows;
};

/// Returns when a queue has passed a mark, or throws.
using WaitForMark = std::function<void(const QueueMark&)>;

/// Measures one call at a time: start(), then pause() and resume() by turns, and finish().
class PartClock {
 public:
  PartClock() = default;
  /// The queue, which lives longer, or null. `wait` replaces QueueMark::wait(): a queue that is linked to
  /// others may never pass a mark.
  explicit PartClock(BoardQueue* queue, WaitForMark wait = &QueueMark::wait);

  /// The part computes from now on.
  void start(const PartTrace& trace);
  /// It has computed `passed` generations of the call and waits from now on. A queue may run ahead of its
  /// device by some periods of work, then the thread waits for it.
  void pause(std::uint64_t passed);
  void resume();
  /// Instead of computing, the call goes on with generation `passed`. Not for a board with a queue.
  void leave_out(std::uint64_t passed) { present_.first_generation = passed; }
  /// As pause(), and waits until the queue is empty.
  void finish(std::uint64_t passed);
  /// The others have finished, too. Returns what the part did in the call.
  PartWork end();

  /// Where the queue is when it has done the work before the last pause(); null without a queue.
  const QueueMark* paused_at() const { return paused_at_; }

 private:
  using Clock = std::chrono::steady_clock;

  struct Period {
    std::unique_ptr<QueueMark> begin, end;
    std::uint64_t first_generation = 0, last_generation = 0;
  };
  static constexpr std::size_t max_ahead = 16;  // periods

  Period& period(std::uint64_t number) { return periods_[number % max_ahead]; }
  void measure_oldest();
  void record(double begin, double end, const Period& period);

  BoardQueue* queue_ = nullptr;
  WaitForMark wait_;
  std::unique_ptr<QueueMark> started_;
  std::array<Period, max_ahead> periods_;
  std::uint64_t begun_ = 0, measured_ = 0;  // periods
  double last_end_ = 0;                     // of the last measured period, in seconds since the start
  const QueueMark* paused_at_ = nullptr;

  PartTrace trace_;
  Clock::time_point start_, since_;  // of the call; of what the part does now
  Period present_;                   // by the CPU's clock
  PartWork work_;
};

}  // namespace moorea
