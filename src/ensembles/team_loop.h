// SPDX-License-Identifier: MIT
// Loop over independent parts by a team of threads, whose exceptions reach the caller.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>

#include "devices/cpu/threads.h"

namespace moorea {

/// Calls body(i) for 0 to `count` - 1, each on one of up to `threads` threads, in any order. After an
/// exception no further part begins, and the first exception is thrown again.
template <class Body>
void for_each_part(int threads, std::size_t count, const Body& body) {
  std::atomic<std::size_t> next{0};
  std::mutex guard;
  std::exception_ptr failure;
  const auto used = static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(threads), count));
  team(used, [&](int, int) {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        body(i);
      } catch (...) {
        const std::lock_guard lock(guard);
        if (!failure) failure = std::current_exception();
        next = count;
      }
    }
  });
  if (failure) std::rethrow_exception(failure);
}

}  // namespace moorea
