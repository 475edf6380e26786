// SPDX-License-Identifier: MIT
// Look-ups of a phase by several threads. Hits are most of them, and need no change: threads look up parts of
// the keys while nodes and results are constant, and list those keys that need a new node or a place in a
// queue; the caller looks these up afterwards, part by part. So there are no locks, no thread but the
// caller's throws or moves memory, and which nodes exist does not depend on the number of threads. Few keys,
// and those for which a team has been measured to be slower, are looked up by the caller alone.
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

namespace moorea {

enum class PhaseKind { early, late, finish, base };

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
      : threads_(static_cast<std::size_t>(threads)),
        always_shares_(always_shares),
        sizes_(4, TeamSize(threads, node_seconds)) {}

  /// Begins a phase; returns the number of threads for it.
  int begin(const Phase& phase) {
    const std::size_t min_keys = always_shares_ != 0 ? always_shares_ : min_share;
    const std::size_t shares = std::min({phase.count * phase.squares / min_keys, phase.count, threads_});
    size_ = nullptr;
    if (shares < 2) return 1;
    const auto threads = static_cast<int>(shares);
    if (always_shares_ != 0) return threads;
    size_ = &sizes_[static_cast<std::size_t>(phase.kind)];
    units_ = static_cast<double>(phase.count);
    begin_ = std::chrono::steady_clock::now();
    const int chosen = size_->choose(units_, threads);
    alone_ = chosen < 2 ? alone_ + 1 : 0;
    return chosen;
  }

  /// Whether the next batch is to be large enough for a team, which takes one thread alone longer: after some
  /// phases that the caller had alone, only now and then.
  bool wants_large_batch() {
    if (alone_ < max_alone) return true;
    return ++small_batches_ % small_batches_per_large == 0;
  }

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
    if (size_ == nullptr) return;
    size_->measured(units_, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count());
  }

  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const PhasePart& part : parts_)
      sum += part.nodes.capacity() * sizeof part.nodes[0] + part.leaves.capacity() * sizeof part.leaves[0];
    return sum;
  }

 private:
  static constexpr std::size_t min_share = 2048;  // keys per thread for which starting one may pay
  static constexpr double node_seconds = 2e-7;

  std::size_t threads_, always_shares_;
  std::vector<TeamSize> sizes_;  // by kind of phase
  std::vector<PhasePart> parts_;
  static constexpr int max_alone = 8;
  static constexpr std::uint64_t small_batches_per_large = 256;  // of 16 times as many nodes

  int alone_ = 0;  // phases in succession that a team could have had
  std::uint64_t small_batches_ = 0;
  TeamSize* size_ = nullptr;  // of the phase, if it is measured
  double units_ = 0;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace moorea
