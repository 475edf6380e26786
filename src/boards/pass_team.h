// SPDX-License-Identifier: MIT
// Passes over a list of active tiles, by one thread or by a team, whichever is faster for as many tiles.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>

#include "devices/cpu/threads.h"

namespace moorea {

class PassTeam {
 public:
  static constexpr std::size_t min_share = 16;  // tiles per thread for which starting one pays

  /// A batch of `lanes` tiles is computed at once.
  PassTeam(int threads, int lanes) : threads_(threads), lanes_(lanes), size_(threads, tile_seconds) {}

  int threads() const { return threads_; }

  /// Tiles `first` to `last` - 1 of the list.
  struct Part {
    std::size_t first, last;
    int thread;
    bool shared;  ///< other threads compute at the same time
  };

  struct Done {
    std::uint64_t passes = 0, changed = 0;
  };

  /// Runs up to `count` passes as long as `active()`, the number of tiles in the list, is not 0. Threads call
  /// `compute(part)` for parts of the list, which returns how many tiles changed; then one calls
  /// `end_pass()`, which makes the next list and may throw.
  template <class Active, class Compute, class EndPass>
  Done run(std::uint64_t count, const Active& active, const Compute& compute, const EndPass& end_pass) {
    Done done;
    while (done.passes < count && active() > 0) {
      const std::size_t tiles = active();
      const std::size_t shares = std::min(tiles / min_share, static_cast<std::size_t>(threads_));
      const int threads = size_.choose(static_cast<double>(tiles), static_cast<int>(shares));
      const auto begin = Clock::now();
      std::uint64_t computed = 0;
      if (threads < 2) {
        computed = tiles;
        done.changed += compute(Part{0, tiles, 0, false});
        end_pass();
        ++done.passes;
      } else {
        const Steps<Active, Compute, EndPass> steps{active, compute, end_pass};
        computed = run_team(threads, count, steps, done);
      }
      size_.measured(static_cast<double>(computed), seconds_since(begin));
    }
    return done;
  }

 private:
  using Clock = std::chrono::steady_clock;

  static constexpr double tile_seconds = 1e-6;  // of a pass, on plain words
  static constexpr std::size_t batches = 4;     // of tiles that a thread takes at a time

  template <class Active, class Compute, class EndPass>
  struct Steps {
    const Active& active;
    const Compute& compute;
    const EndPass& end_pass;
  };

  static double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }

  // Passes as long as there is work for the team and for a short time; returns the tiles that were computed.
  template <class Active, class Compute, class EndPass>
  std::uint64_t run_team(int wanted, std::uint64_t count, const Steps<Active, Compute, EndPass>& steps,
                         Done& done) {
    constexpr double longest = 0.001;  // seconds until the number of threads is chosen again
    const auto begin = Clock::now();
    Barrier barrier;
    std::atomic<std::size_t> taken{0};
    std::atomic<std::uint64_t> changed{0};
    std::uint64_t computed = 0;
    std::exception_ptr failure;  // nothing may be thrown through a team
    bool ends = false;
    team(wanted, [&](int thread, int threads) {
      const std::size_t portion = batches * static_cast<std::size_t>(lanes_);
      while (!ends) {
        const std::size_t tiles = steps.active();
        for (std::size_t first; (first = taken.fetch_add(portion)) < tiles;)
          changed += steps.compute(Part{first, std::min(first + portion, tiles), thread, true});
        barrier.wait(threads);
        if (thread == 0) {
          computed += tiles;
          try {
            steps.end_pass();
          } catch (...) {
            failure = std::current_exception();
          }
          taken = 0;
          ++done.passes;
          ends = failure != nullptr || done.passes == count || steps.active() < 2 * min_share ||
                 seconds_since(begin) > longest;
        }
        barrier.wait(threads);
      }
    });
    done.changed += changed;
    if (failure) std::rethrow_exception(failure);
    return computed;
  }

  int threads_;
  int lanes_;
  TeamSize size_;
};

}  // namespace moorea
