// SPDX-License-Identifier: MIT
// A team of CPU threads that runs one function and is joined: the only place where threads start.
#pragma once

#include <atomic>

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

}  // namespace moorea
