// SPDX-License-Identifier: MIT
// A team of CPU threads that runs one function and is joined: the only place where threads start. Waiting
// threads spin for a millisecond at most and then sleep, so that other work on the machine gets the time.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "moorea/tiles.h"

namespace moorea {

/// Returns the number of threads that this process may use: OMP_NUM_THREADS if set, otherwise the minimum of
/// the CPUs that it may run on and the CPU time that its control groups grant; at most OMP_THREAD_LIMIT and
/// at least 1.
int usable_threads();

/// Returns the schedule in the environment's OMP_SCHEDULE; static if unset, empty or "auto". Throws Error
/// (usage) for a value that OpenMP does not define.
TileSchedule default_schedule();

namespace detail {

using TeamBody = void (*)(void* context, int thread, int threads);
void run_team(int threads, TeamBody body, void* context);
class Workers;

/// Returns the number of idle CPUs of the machine; many if the system does not report it.
int idle_cpus();

}  // namespace detail

/// Calls body(thread, threads) once on each of `threads` threads, including the caller, and returns when all
/// are done. The threads are kept for the caller's next team. The body must not throw. Throws Error (run)
/// before any call if the system cannot start so many threads.
template <class Body>
void team(int threads, Body&& body) {
  if (threads <= 1) {
    body(0, 1);
    return;
  }
  detail::run_team(
      threads,
      [](void* context, int thread, int count) {
        (*static_cast<std::remove_reference_t<Body>*>(context))(thread, count);
      },
      &body);
}

/// Threads of which each may start teams, one for each part of a divided world. The caller is member 0.
class Crew {
 public:
  explicit Crew(int members);
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  ~Crew();

  /// As team(); a crew runs one body at a time.
  template <class Body>
  void run(Body&& body) {
    run_all([](void* context, int member,
               int members) { (*static_cast<std::remove_reference_t<Body>*>(context))(member, members); },
            &body);
  }

 private:
  void run_all(detail::TeamBody body, void* context);

  int members_;
  std::unique_ptr<detail::Workers> others_;
};

/// Iterations 0 to `count` - 1 of a loop, distributed to the threads of one team like OpenMP's schedule
/// clause of the same name.
class SharedLoop {
 public:
  SharedLoop(const TileSchedule& schedule, std::int64_t count) : schedule_(schedule), count_(count) {}

  /// Calls turn(i) for this thread's iterations; each thread of the team calls it once, without a barrier at
  /// the end.
  template <class Turn>
  void run(int thread, int threads, const Turn& turn) {
    Range range;
    for (std::int64_t taken = 0; next(thread, threads, taken++, range);) {
      for (std::int64_t i = range.first; i < range.last; ++i) turn(i);
    }
  }

 private:
  struct Range {
    std::int64_t first = 0, last = 0;
  };
  bool next(int thread, int threads, std::int64_t taken, Range& range);

  TileSchedule schedule_;
  std::int64_t count_;
  std::atomic<std::int64_t> given_{0};
};

/// Counter that threads of a team wait for, in a cache line of its own. A write makes a system call only
/// while a thread sleeps on it.
class alignas(64) Signal {
 public:
  std::uint32_t value() const { return value_.load(std::memory_order_acquire); }
  void set(std::uint32_t value);
  /// Subtracts one; wakes the waiting threads at zero.
  void count_down();

  /// Returns once reached(value) is true. Spins for less than a millisecond if `spins`, which needs a CPU for
  /// each thread of the team, then sleeps.
  template <class Reached>
  void wait_for(const Reached& reached, bool spins) const;

 private:
  /// Returns whether the last wait ended by a wake-up.
  template <class Reached>
  bool sleep_until(const Reached& reached) const;
  void wake();

  std::atomic<std::uint32_t> value_{0};
  mutable std::atomic<std::uint32_t> sleepers_{0};
  std::atomic<int> waker_cpu_{-1};  // of the last wake-up
};

/// Barrier for all threads of a team.
class Barrier {
 public:
  void wait(int threads);

 private:
  alignas(64) std::atomic<std::uint32_t> arrived_{0};
  Signal turn_;
};

/// Synchronises the phases of a team's threads, of which each depends on its neighbours' previous phase.
class Phases {
 public:
  explicit Phases(int threads) : done_(static_cast<std::size_t>(threads)) {}

  /// Ends this thread's phase and waits until those of the threads before and after it, in a ring of
  /// `threads`, have ended theirs.
  void next(int thread, int threads);

 private:
  std::vector<Signal> done_;
};

/// Chooses the number of threads by measured cost: a team with little work, or whose threads share their CPUs
/// with other processes, can be slower than one thread. Work of one size gets the faster alternative, one
/// thread or all; the other is tried again as long as such trials have taken a small part of the total time,
/// a team only if CPUs are idle. Work that keeps one thread busy for longer than the system's time slices
/// always gets all threads.
class TeamSize {
 public:
  /// A unit of work keeps one thread busy for up to `seconds_a_unit`, approximately. `idle_cpus` returns the
  /// number of idle CPUs.
  TeamSize(int threads, double seconds_a_unit, int (*idle_cpus)() = detail::idle_cpus)
      : threads_(threads), seconds_a_unit_(seconds_a_unit), idle_cpus_(idle_cpus) {}

  /// Returns the number of threads for work of `units`: 1 or `max_threads`.
  int choose(double units, int max_threads);

  /// Records the duration of the work that the last choice was made for; `units` may exceed the estimate.
  void measured(double units, double seconds);

 private:
  struct Record {
    double one = 0, all = 0;  ///< seconds per unit; 0: never tried
  };

  bool has_idle_cpus(int wanted);

  int threads_;
  double seconds_a_unit_;
  int (*idle_cpus_)();
  std::array<Record, 64> records_;  ///< by the power of two below the units
  Record* record_ = nullptr;        ///< of the last choice; null if nothing is to be recorded
  bool all_ = false;
  double total_ = 0, lost_ = 0;  ///< seconds of all work, and the part that the other choice would have saved
  double next_look_ = 0;         ///< total_ at which idle CPUs are counted again
  bool has_idle_cpus_ = false;
};

}  // namespace moorea
