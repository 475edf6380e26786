// SPDX-License-Identifier: MIT
// A team of CPU threads that runs one function and is joined: the only place where threads start. Whoever
// waits spins for a millisecond at most and then sleeps, so that a machine that is busy with other work gets
// the time.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "moorea/tiles.h"

namespace moorea {

/// Threads that this process may use: what OMP_NUM_THREADS says, else the CPUs that it may run on or, where
/// that is less, the CPU time that its control groups grant it; OMP_THREAD_LIMIT at most. At least 1.
int usable_threads();

/// The schedule of the environment's OMP_SCHEDULE; static where that is not set or says nothing known.
TileSchedule default_schedule();

namespace detail {

using TeamBody = void (*)(void* context, int thread, int threads);
void run_team(int threads, TeamBody body, void* context);

/// CPUs of the machine that nothing runs on now; many where the system does not tell.
int idle_cpus();

}  // namespace detail

/// Calls body(thread, threads) once on each of `threads` threads, of which the caller is one, and returns
/// when all are done. They are kept for the caller's next team. The body must not throw. Throws Error (run)
/// before any call where the system cannot start so many.
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

/// The turns of a loop, 0 to `count` - 1, which the threads of one team share as OpenMP's schedule clause of
/// the same name does.
class SharedLoop {
 public:
  SharedLoop(const TileSchedule& schedule, std::int64_t count) : schedule_(schedule), count_(count) {}

  /// Calls turn(i) for this thread's turns; each thread of the team calls it once, and none waits at its end.
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
  template <class Reached>
  void sleep_until(const Reached& reached) const;

  std::atomic<std::uint32_t> value_{0};
  mutable std::atomic<std::uint32_t> sleepers_{0};
};

/// Where all threads of a team wait for each other.
class Barrier {
 public:
  void wait(int threads);

 private:
  alignas(64) std::atomic<std::uint32_t> arrived_{0};
  Signal turn_;
};

/// Lets the threads of a team work in phases of which each needs what its neighbours did in the phase before.
class Phases {
 public:
  explicit Phases(int threads) : done_(static_cast<std::size_t>(threads)) {}

  /// Ends this thread's phase and waits until those of the threads before and after it, in a ring of
  /// `threads`, have ended theirs.
  void next(int thread, int threads);

 private:
  std::vector<Signal> done_;
};

/// How many threads pay, by measured cost: a team with little to do, or whose threads share their CPUs with
/// other processes, can be slower than one thread. Work of one size goes to whichever was the faster, one
/// thread or all; the other is tried again as long as such trials have cost little of the whole time, a team
/// only where CPUs are idle. Work that keeps one thread busy for longer than the system's time slices always
/// gets all threads.
class TeamSize {
 public:
  /// A unit of work keeps one thread busy for up to `seconds_a_unit`, roughly.
  /// `idle_cpus` answers how many CPUs nothing runs on now.
  TeamSize(int threads, double seconds_a_unit, int (*idle_cpus)() = detail::idle_cpus)
      : threads_(threads), seconds_a_unit_(seconds_a_unit), idle_cpus_(idle_cpus) {}

  /// Returns the number of threads for work of `units`: 1 or `max_threads`.
  int choose(double units, int max_threads);

  /// Records what the work took that the last choice was made for, in units that may be more than were
  /// foreseen.
  void measured(double units, double seconds);

 private:
  struct Record {
    double one = 0, all = 0;  ///< seconds a unit; 0: never tried
  };

  bool has_idle_cpus(int wanted);

  int threads_;
  double seconds_a_unit_;
  int (*idle_cpus_)();
  std::array<Record, 64> records_;  ///< by the power of two below the units
  Record* record_ = nullptr;        ///< of the last choice; null where nothing is to be learned
  bool all_ = false;
  double total_ = 0, lost_ = 0;  ///< seconds of all work, and what the other choice would have saved of them
  double next_look_ = 0;         ///< total_ at which the system is asked again for idle CPUs
  bool has_idle_cpus_ = false;
};

}  // namespace moorea
