// SPDX-License-Identifier: MIT
// Look-ups of a phase by several threads. Hits are most of them, and need no change: threads look up parts of
// the keys while nodes and results are constant, and list those keys that need a new node or a place in a
// queue; the caller looks these up afterwards, part by part. So there are no locks, no thread but the
// caller's throws or moves memory, and which nodes exist does not depend on the number of threads. Few keys,
// and all while teams do not pay, are looked up by the caller alone.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "devices/cpu/threads.h"
#include "trees/lookups.h"
#include "trees/node_store.h"
#include "trees/team_contest.h"

namespace moorea {

/// Look-ups for nodes of a batch.
struct Phase {
  PhaseKind kind;
  int level;            ///< of the nodes that are looked up
  std::size_t count;    ///< nodes of the batch
  std::size_t squares;  ///< keys of each at most, or look-ups that take as long as its evaluation
};

template <class Item>
using WaitingKeys = std::vector<WaitingKey<decltype(packed_key(std::declval<const Item&>()))>>;

/// Keys that a thread has left to the caller.
struct alignas(64) PhasePart {
  WaitingKeys<Node> nodes;
  WaitingKeys<LeafRows> leaves;

  template <class Item>
  WaitingKeys<Item>& waiting() {
    if constexpr (std::is_same_v<Item, Node>) {
      return nodes;
    } else {
      return leaves;
    }
  }
};

class PhaseTeam {
 public:
  /// Phases of up to `threads` threads; each gets `always_shares` keys at least, without measuring whether
  /// that pays, unless it is 0.
  PhaseTeam(int threads, std::size_t always_shares)
      : threads_(static_cast<std::size_t>(threads)), always_shares_(always_shares), contest_(threads) {}

  /// Begins a phase; returns the number of threads for it.
  int begin(const Phase& phase) {
    if (threads_ < 2) return 1;
    keys_ = phase.count * phase.squares;
    if (always_shares_ != 0) return shares(phase, always_shares_);
    is_measured_ = keys_ >= min_measured;
    if (!is_measured_) return 1;
    kind_ = phase.kind;
    begin_ = std::chrono::steady_clock::now();
    contest_.passed(std::chrono::duration<double>(begin_ - end_).count());
    return contest_.has_team() ? shares(phase, min_share) : 1;
  }

  /// Whether queues are divided into batches that are large enough for a team, which take one thread alone
  /// longer.
  bool wants_large_batches() const { return always_shares_ != 0 || contest_.has_team(); }

  /// Calls shared(first, last, part) for parts of the phase's nodes on several threads, and then after(part)
  /// for each part.
  template <class Item, class Shared, class After>
  void run(int threads, const Phase& phase, const Shared& shared, const After& after) {
    const auto count = static_cast<std::size_t>(threads);
    if (parts_.size() < count) parts_.resize(count);
    // Nothing may be thrown through a team
    for (std::size_t i = 0; i < count; ++i)
      parts_[i].template waiting<Item>().reserve((phase.count / count + 1) * phase.squares);
    team(threads, [&](int thread, int all) {
      const auto part = static_cast<std::size_t>(thread), parts = static_cast<std::size_t>(all);
      const std::size_t first = phase.count * part / parts, last = phase.count * (part + 1) / parts;
      if (first < last) shared(first, last, parts_[part]);
    });
    for (std::size_t i = 0; i < count; ++i) {
      after(parts_[i]);
      parts_[i].template waiting<Item>().clear();
    }
  }

  /// Ends a phase.
  void end() {
    if (!is_measured_) return;
    end_ = std::chrono::steady_clock::now();
    contest_.measured(kind_, keys_, std::chrono::duration<double>(end_ - begin_).count());
  }

  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const PhasePart& part : parts_)
      sum += part.nodes.capacity() * sizeof part.nodes[0] + part.leaves.capacity() * sizeof part.leaves[0];
    return sum;
  }

 private:
  static constexpr std::size_t min_share = 2048;    // keys per thread for which starting one may pay
  static constexpr std::size_t min_measured = 512;  // keys that take long enough to read a clock

  int shares(const Phase& phase, std::size_t min_keys) const {
    return static_cast<int>(std::max<std::size_t>(std::min({keys_ / min_keys, phase.count, threads_}), 1));
  }

  std::size_t threads_, always_shares_;
  TeamContest contest_;
  std::vector<PhasePart> parts_;
  std::size_t keys_ = 0;  // of the phase
  PhaseKind kind_ = PhaseKind::early;
  bool is_measured_ = false;
  std::chrono::steady_clock::time_point begin_, end_;  // of the last measured phase
};

}  // namespace moorea
