// SPDX-License-Identifier: MIT
// A team of CPU threads that runs one function and is joined: the only place where threads start.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "moorea/tiles.h"

namespace moorea {

/// Threads that this process may use: the cores it may run on, or what OMP_NUM_THREADS says. 1 without
/// OpenMP.
int usable_threads();

/// The schedule of the environment's OMP_SCHEDULE, as OpenMP reads it; static where that is not set.
TileSchedule usual_schedule();

namespace detail {
void launch_team(int threads, void (*body)(void* context, int thread, int threads), void* context);
void launch_turns(std::int64_t count, void (*turn)(const void* context, std::int64_t i), const void* context);
}  // namespace detail

/// Calls body(thread, threads) once on each of `threads` threads, of which the caller is one, and returns
/// when all are done. The body must not throw.
template <class Body>
void team(int threads, Body&& body) {
  if (threads == 1) {
    body(0, 1);
    return;
  }
  // The team's own fork and join order memory already; these say so to the thread sanitizer, which does not
  // see into the OpenMP library.
  struct Context {
    Body* body;
    std::atomic<int> begun{0};
    std::atomic<int> done{0};
  } context{&body};
  context.begun.store(1, std::memory_order_release);
  detail::launch_team(
      threads,
      [](void* pointer, int thread, int count) {
        auto* shared = static_cast<Context*>(pointer);
        (void)shared->begun.load(std::memory_order_acquire);
        (*shared->body)(thread, count);
        shared->done.fetch_add(1, std::memory_order_acq_rel);
      },
      &context);
  (void)context.done.load(std::memory_order_acquire);
}

/// How the teams that the calling thread starts share the turns of loops, as long as it lives.
class LoopSchedule {
 public:
  explicit LoopSchedule(const TileSchedule& schedule);
  ~LoopSchedule();
  LoopSchedule(const LoopSchedule&) = delete;
  LoopSchedule& operator=(const LoopSchedule&) = delete;

 private:
  int kind_before_ = 0, chunk_before_ = 0;
};

/// Calls turn(i) for this thread's share of 0 to count - 1, by OpenMP's schedule(runtime); all `threads` of a
/// team call it, and none waits for the others at the end. The turns must not throw.
template <class Turn>
void share_turns(int threads, std::int64_t count, const Turn& turn) {
  if (threads == 1) {  // which is no team of OpenMP's: its own would be that of who called us
    for (std::int64_t i = 0; i < count; ++i) turn(i);
    return;
  }
  detail::launch_turns(
      count, [](const void* context, std::int64_t i) { (*static_cast<const Turn*>(context))(i); }, &turn);
}

/// Where all threads of a team wait for each other.
class Barrier {
 public:
  void wait(int threads) {
    const std::uint32_t turn = turn_.load(std::memory_order_acquire);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads) {
      arrived_.store(0, std::memory_order_relaxed);
      turn_.store(turn + 1, std::memory_order_release);
      turn_.notify_all();
      return;
    }
    while (turn_.load(std::memory_order_acquire) == turn) turn_.wait(turn, std::memory_order_acquire);
  }

 private:
  std::atomic<int> arrived_{0};
  std::atomic<std::uint32_t> turn_{0};
};

/// Lets the threads of a team work in phases of which each needs what its neighbours did in the phase before.
class Phases {
 public:
  explicit Phases(int threads) : done_(static_cast<std::size_t>(threads)) {}

  /// Says that this thread's phase is done, and waits until those of the threads before and behind it, in a
  /// ring of `threads`, are.
  void next(int thread, int threads) {
    if (threads == 1) return;
    std::atomic<std::uint32_t>& own = at(thread);
    const std::uint32_t phase = own.load(std::memory_order_relaxed) + 1;
    own.store(phase, std::memory_order_release);
    own.notify_all();
    for (const int other : {(thread + 1) % threads, (thread + threads - 1) % threads}) {
      for (std::uint32_t seen; (seen = at(other).load(std::memory_order_acquire)) != phase;) {
        if (static_cast<std::int32_t>(seen - phase) > 0) break;
        at(other).wait(seen, std::memory_order_acquire);
      }
    }
  }

 private:
  struct alignas(64) Count {
    std::atomic<std::uint32_t> phases{0};
  };
  std::atomic<std::uint32_t>& at(int thread) { return done_[static_cast<std::size_t>(thread)].phases; }

  std::vector<Count> done_;
};

}  // namespace moorea
