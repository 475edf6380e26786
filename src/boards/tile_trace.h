// SPDX-License-Identifier: MIT
// The events of a team of threads. Each thread writes to a list of its own, so that telling the time is all
// that it costs.
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
  /// Before a call of step_tracing() with so many threads.
  void prepare(int threads) {
    if (std::ssize(lists_) < threads) lists_.resize(static_cast<std::size_t>(threads));
  }

  void set_generation(std::uint64_t generation) { generation_ = generation; }

  double now() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

  /// By the thread itself. `begin` as now() told it.
  void record(int thread, const Box& tile, double begin, bool changed) {
    List& list = lists_[static_cast<std::size_t>(thread)];
    const double end = now();
    // Once a pass is enough, and a tile can be done in the time that it takes to ask
    if (list.events.empty() || list.events.back().generation != generation_) list.cpu = sched_getcpu();
    list.events.push_back({generation_, tile, thread, list.cpu, begin, end, changed});
  }

  /// All of them, in the order of their beginnings.
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
