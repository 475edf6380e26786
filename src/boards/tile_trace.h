// SPDX-License-Identifier: MIT
// Events of a team of threads. Each thread writes to a list of its own, so that reading the clock is the only
// cost.
#pragma once

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "moorea/lab/instruments.h"

namespace moorea {

class TileTrace {
 public:
  /// Call before step_tracing() with this number of threads.
  void prepare(int threads) {
    if (std::ssize(lists_) < threads) lists_.resize(static_cast<std::size_t>(threads));
  }

  void set_generation(std::uint64_t generation) { generation_ = generation; }

  using Time = std::chrono::steady_clock::time_point;

  double now() const { return seconds(std::chrono::steady_clock::now()); }
  double seconds(Time time) const { return std::chrono::duration<double>(time - begin_).count(); }

  /// Called by the thread itself; `begin` is a result of now(), `passed` the number of generations since
  /// set_generation().
  void record(int thread, const Box& tile, double begin, bool changed, std::uint64_t passed = 0) {
    List& list = lists_[static_cast<std::size_t>(thread)];
    const double end = now();
    const std::uint64_t generation = generation_ + passed;
    // Once per pass suffices: a query takes as long as a tile
    if (list.events.empty() || list.events.back().generation != generation) list.cpu = sched_getcpu();
    list.events.push_back({generation, tile, thread, list.cpu, begin, end, changed});
  }

  /// The same for `count` tiles that were computed at the same time, in the lanes of vectors: each has an
  /// equal share of that time. `tile(i)` and `changed(i)` are of one.
  template <class Tile, class Changed>
  void record_batch(int thread, std::size_t count, double begin, const Tile& tile, const Changed& changed,
                    std::uint64_t passed) {
    List& list = lists_[static_cast<std::size_t>(thread)];
    const double share = (now() - begin) / static_cast<double>(count);
    const std::uint64_t generation = generation_ + passed;
    if (list.events.empty() || list.events.back().generation != generation) list.cpu = sched_getcpu();
    for (std::size_t i = 0; i < count; ++i)
      list.events.push_back({generation, tile(i), thread, list.cpu, begin + share * static_cast<double>(i),
                             begin + share * static_cast<double>(i + 1), changed(i)});
  }

  /// A period of a part's work, which has ended; `passed` as above.
  struct Period {
    Box rows;
    double begin = 0, end = 0;  ///< as results of now()
    std::uint64_t passed = 0;
  };
  void record(int part, const Period& done) {
    lists_[static_cast<std::size_t>(part)].events.push_back(
        {generation_ + done.passed, done.rows, part, sched_getcpu(), done.begin, done.end, true});
  }

  /// All events in the order of their beginnings.
  std::vector<TileEvent> take() {
    std::vector<TileEvent> all;
    for (List& list : lists_) {
      all.insert(all.end(), list.events.begin(), list.events.end());
      list.events.clear();
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const TileEvent& a, const TileEvent& b) { return a.begin < b.begin; });
    return all;
  }

 private:
  struct alignas(64) List {
    std::vector<TileEvent> events;
    int cpu = -1;
  };

  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::uint64_t generation_ = 0;
  std::vector<List> lists_;
};

}  // namespace moorea
