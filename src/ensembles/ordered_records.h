// SPDX-License-Identifier: MIT
// Records of worlds that become complete in any order, passed on in the order of the worlds.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "moorea/survey.h"

namespace moorea {

class OrderedRecords {
 public:
  OrderedRecords(std::uint64_t first, double cells, const ReceiveRecords& receive,
                 const SurveyProgress& progress)
      : next_(first), cells_(cells), receive_(receive), progress_(progress) {}

  /// Adds records of a thread and passes on those whose predecessors are complete. Returns whether the survey
  /// goes on; afterwards nothing is passed on any more.
  bool add(std::span<const WorldRecord> records) {
    const std::lock_guard lock(guard_);
    for (const WorldRecord& each : records) {
      const auto place = static_cast<std::size_t>(each.world - next_);
      if (place >= waiting_.size()) waiting_.resize(place + 1);
      waiting_[place] = each;
    }
    std::vector<WorldRecord> ready;
    for (; !waiting_.empty() && waiting_.front() && going_; ++next_) {
      ready.push_back(*waiting_.front());
      waiting_.pop_front();
    }
    if (!ready.empty()) {
      for (const WorldRecord& each : ready)
        totals_.cell_generations += cells_ * static_cast<double>(each.generation);
      totals_.worlds += ready.size();
      if (receive_ && !receive_(ready)) going_ = false;
    }
    reported_ = Clock::now().time_since_epoch();
    if (going_ && progress_ && !progress_(totals_)) going_ = false;
    return going_;
  }

  /// Called by the threads between parts of their work of about a millisecond. Returns whether the survey
  /// goes on, which `progress` is asked about every 20 ms.
  bool goes_on() {
    constexpr std::chrono::milliseconds interval{20};
    if (Clock::now().time_since_epoch() < reported_.load(std::memory_order_relaxed) + interval) return going_;
    return add({});
  }

  /// Stops the survey after an exception of another thread.
  void stop() {
    const std::lock_guard lock(guard_);
    going_ = false;
  }

  const SurveyTotals& totals() const { return totals_; }

 private:
  using Clock = std::chrono::steady_clock;

  std::mutex guard_;
  std::deque<std::optional<WorldRecord>> waiting_;  // place i is for world next_ + i
  std::uint64_t next_;
  double cells_;
  const ReceiveRecords& receive_;
  const SurveyProgress& progress_;
  SurveyTotals totals_;
  std::atomic<bool> going_ = true;
  std::atomic<Clock::duration> reported_ = Clock::now().time_since_epoch();
};

}  // namespace moorea
