// SPDX-License-Identifier: MIT
// Software-pipelined look-ups: a ring of keys whose cache lines are fetched while others are examined. A key
// is pushed (its bucket is prefetched), probed some keys later (the node that its tag selects is prefetched,
// or a new node is stored) and verified again some keys later. Latencies of memory overlap; the order of
// probes is that of the pushes, so that equal keys in the ring find the first one's node.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "trees/node_store.h"
#include "trees/results.h"

namespace moorea {

/// A node without a result, with its key, which need not be read again.
struct QueueEntry {
  NodeKey key;
  NodeIndex index;
};

/// Nodes to be evaluated, each once, and their results when that is done.
struct NodeQueue {
  std::vector<QueueEntry> entries;
  std::vector<NodeIndex> results;

  void clear() {
    entries.clear();
    results.clear();
  }
  /// The result that a place stands for, or the value if it is no marker.
  NodeIndex resolved(NodeIndex value) const {
    return value < first_marker ? value : results[value - first_marker];
  }
};

/// Returns a node's result, or its place in `queue`, which it joins if it has neither.
template <Target target>
NodeIndex wanted_result(ResultField<target> field, const NodeKey& key, NodeIndex index, NodeQueue& queue) {
  const NodeIndex result = field.read(index);
  if (result != no_result) return result;
  const auto place = static_cast<NodeIndex>(first_marker + queue.entries.size());
  field.write(index, place);
  queue.entries.push_back({key, index});
  return place;
}

/// Look-ups in one arena, which has room for all keys that are pushed. `Found` is called with key, index and
/// destination of each; `Fetch` prefetches what it reads besides the node.
template <class Item, class Found, class Fetch>
class Lookups {
 public:
  using Key = std::remove_cvref_t<decltype(key_of(std::declval<const Item&>()))>;

  Lookups(NodeArena<Item>& arena, Found found, Fetch fetch)
      : arena_(arena), table_(arena.table()), items_(arena.items()), found_(found), fetch_(fetch) {}

  void push(const Key& key, NodeIndex* to) {
    const std::uint64_t hash = arena_.masked(hash_of(key));
    table_.prefetch(hash);
    ring_[pushed_++ % ring_size] = {key, hash, to, 0};
    if (pushed_ - probed_ > distance) probe();
    if (probed_ - verified_ > distance) verify();
  }

  void finish() {
    while (probed_ != pushed_) probe();
    while (verified_ != probed_) verify();
  }

 private:
  static constexpr std::size_t ring_size = 128, distance = 40;

  struct Request {
    Key key;
    std::uint64_t hash;
    NodeIndex* to;
    NodeIndex candidate;
  };

  void probe() {
    Request& request = ring_[probed_++ % ring_size];
    request.candidate = table_.find(request.hash, [](NodeIndex) { return true; });
    if (request.candidate == NodeTable::absent) request.candidate = stored(request);
    __builtin_prefetch(items_ + request.candidate);
    fetch_(request.candidate);
  }

  void verify() {
    Request& request = ring_[verified_++ % ring_size];
    NodeIndex index = request.candidate;
    if (key_of(items_[index]) != request.key) {
      index = table_.find(request.hash, [&](NodeIndex node) { return key_of(items_[node]) == request.key; });
      if (index == NodeTable::absent) index = stored(request);
    }
    found_(request.key, index, request.to);
  }

  NodeIndex stored(const Request& request) {
    const NodeIndex index = arena_.append(new_item(request.key));
    table_.insert(request.hash, index);
    return index;
  }

  static Item new_item(const Key& key) {
    if constexpr (std::is_same_v<Item, Node>) {
      return {key, no_result};
    } else {
      return key;
    }
  }

  NodeArena<Item>& arena_;
  NodeTable& table_;
  const Item* const items_;
  Found found_;
  Fetch fetch_;
  std::array<Request, ring_size> ring_;
  std::size_t pushed_ = 0, probed_ = 0, verified_ = 0;
};

}  // namespace moorea
