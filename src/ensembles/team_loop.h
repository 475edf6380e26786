// SPDX-License-Identifier: MIT
// Loop over independent parts by a team of threads, whose exceptions reach the caller.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>

#include "devices/cpu/threads.h"
#include "ensembles/interruption.h"

namespace moorea {

/// Calls body(i) for 0 to `count` - 1, each on one of up to `threads` threads, in any order. After an
/// exception or an interruption no further part begins, and the first exception is thrown again.
template <class Body>
void for_each_part(int threads, std::size_t count, const Body& body, Interruption& interruption) {
  std::atomic<std::size_t> next{0};
  std::mutex guard;
  std::exception_ptr failure;
  const auto used = static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(threads), count));
  team(used, [&](int member, int members) {
    for (std::size_t i = next++; i < count && !interruption.stopped(); i = next++) {
      try {
        body(i);
      } catch (...) {
        const std::lock_guard lock(guard);
        if (!failure) failure = std::current_exception();
        next = count;
      }
    }
    interruption.finish(member, members);
  });
  if (failure) std::rethrow_exception(failure);
  interruption.rethrow();
}

template <class Body>
void for_each_part(int threads, std::size_t count, const Body& body) {
  Interruption never;
  for_each_part(threads, count, body, never);
}

}  // namespace moorea
