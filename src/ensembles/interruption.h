// SPDX-License-Identifier: MIT
// Interruption of work by several threads: the caller's function is asked by the caller's thread alone, as
// interpreters handle signals there, and stops all threads between two pieces of their work.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

namespace moorea {

class Interruption {
 public:
  /// Never stops by itself.
  Interruption() = default;
  /// `go_on` is called by the thread that creates this object, about every 20 ms of stopped(). All work stops
  /// if it returns false or throws; an empty function never stops.
  explicit Interruption(std::function<bool()> go_on) : go_on_(std::move(go_on)) {}

  /// Whether there is a function to ask.
  bool asks() const { return static_cast<bool>(go_on_); }

  /// Whether the work stops; called by all threads between pieces of a few milliseconds at most.
  bool stopped() {
    if (go_on_ && !stopped_ && std::this_thread::get_id() == caller_) ask();
    return stopped_;
  }

  /// Called by each member of a team after its work; member 0, the caller, returns after the others, and asks
  /// `go_on` meanwhile.
  void finish(int member, int members) {
    if (!go_on_) return;
    std::unique_lock lock(guard_);
    if (member != 0) {
      ++finished_;
      all_finished_.notify_one();
      return;
    }
    while (!all_finished_.wait_for(lock, interval, [&] { return finished_ == members - 1; })) {
      lock.unlock();
      stopped();
      lock.lock();
    }
    finished_ = 0;
  }

  /// Throws again what `go_on` threw.
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds interval{20};

  void ask() {
    const Clock::time_point now = Clock::now();
    if (now < asked_ + interval) return;
    asked_ = now;
    try {
      if (!go_on_()) stopped_ = true;
    } catch (...) {
      failure_ = std::current_exception();
      stopped_ = true;
    }
  }

  std::function<bool()> go_on_;
  std::thread::id caller_ = std::this_thread::get_id();
  Clock::time_point asked_ = Clock::now();
  std::atomic<bool> stopped_{false};
  std::exception_ptr failure_;
  std::mutex guard_;
  std::condition_variable all_finished_;
  int finished_ = 0;
};

/// Calls advance(n) for parts of `generations`, until an interruption; n is chosen such that a call takes
/// about as long as the interval between two questions.
template <class Advance>
void in_short_parts(std::uint64_t generations, Interruption& interruption, const Advance& advance) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds short_time{10}, long_time{40};
  constexpr std::uint64_t first_part = 64;
  std::uint64_t part = interruption.asks() ? first_part : generations;
  while (generations > 0 && !interruption.stopped()) {
    const std::uint64_t now = std::min(generations, part);
    const Clock::time_point begin = Clock::now();
    advance(now);
    const Clock::duration taken = Clock::now() - begin;
    generations -= now;
    if (taken < short_time) part *= 2;
    if (taken > long_time) part = std::max<std::uint64_t>(part / 2, 1);
  }
}

}  // namespace moorea
