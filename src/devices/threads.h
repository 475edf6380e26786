// SPDX-License-Identifier: MIT
// A team of CPU threads that runs one function and is joined: the only place where threads start.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

namespace moorea {

/// Threads that this process may use: the cores it may run on, or what OMP_NUM_THREADS says. 1 without
/// OpenMP.
int usable_threads();

namespace detail {
void launch_team(int threads, void (*body)(void* context, int thread, int threads), void* context);
}

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
