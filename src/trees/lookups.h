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

/// Fetches an item that may lie in two cache lines.
template <class Item>
inline void prefetch_item(const Item* item) {
  __builtin_prefetch(item);
  if constexpr (sizeof(Item) % 32 != 0) __builtin_prefetch(reinterpret_cast<const char*>(item + 1) - 1);
}

/// Nodes to be evaluated, each once, and their results when that is done.
struct NodeQueue {
  std::vector<QueueEntry> entries;
  std::vector<NodeIndex> results;
  std::vector<NodeIndex*> waiting;  ///< squares that have the place of their result in this queue

  void clear() {
    entries.clear();
    results.clear();
    waiting.clear();
  }
  /// Puts the results where their places are.
  void distribute() const {
    for (NodeIndex* const square : waiting) *square = results[*square - first_marker];
  }
};

/// Writes a node's result to `to`, or its place in `queue`, which it joins if it has neither.
template <Target target>
inline void want_result(ResultField<target> field, const NodeKey& key, NodeIndex index, NodeQueue& queue,
                        NodeIndex* to) {
  NodeIndex result = field.read(index);
  if (result >= first_marker) {
    if (result == no_result) {
      result = static_cast<NodeIndex>(first_marker + queue.entries.size());
      field.write(index, result);
      queue.entries.push_back({key, index});
    }
    queue.waiting.push_back(to);
  }
  *to = result;
}

/// Look-ups in one arena, which has room for all keys that are pushed. `found(key, index, to)` is called for
/// each of them, with the packed key; `fetch(index)` prefetches what `found` reads besides the node.
template <class Item, class Found, class Fetch>
class Lookups {
 public:
  using Key = decltype(packed_key(std::declval<const Item&>()));

  Lookups(NodeArena<Item>& arena, Found found, Fetch fetch)
      : arena_(arena), table_(arena.table()), items_(arena.items()), found_(found), fetch_(fetch) {}

  /// Looks up a key; the empty square is known.
  [[gnu::always_inline]] void push(const Key& key, NodeIndex* to) {
    if (key == Key{}) {
      *to = empty_node;
      return;
    }
    const std::uint64_t hash = arena_.masked(hash_of(key));
    table_.prefetch(hash);
    Request& request = ring_[pushed_++ % ring_size];
    request.key = key;
    request.hash = hash;
    request.to = to;
    if (pushed_ > distance) turn();
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

  [[gnu::noinline]] void turn() {
    probe();
    if (probed_ > distance) verify();
  }

  [[gnu::always_inline]] void probe() {
    Request& request = ring_[probed_++ % ring_size];
    request.candidate = table_.find(request.hash, [](NodeIndex) { return true; });
    if (request.candidate == NodeTable::absent) request.candidate = stored(request);
    prefetch_item(items_ + request.candidate);
    fetch_(request.candidate);
  }

  [[gnu::always_inline]] void verify() {
    Request& request = ring_[verified_++ % ring_size];
    NodeIndex index = request.candidate;
    if (packed_key(items_[index]) != request.key) [[unlikely]]
      index = examined(request);
    found_(request.key, index, request.to);
  }

  // The node, if the first one with its tag is another.
  [[gnu::noinline]] NodeIndex examined(const Request& request) {
    const NodeIndex known =
        table_.find(request.hash, [&](NodeIndex node) { return packed_key(items_[node]) == request.key; });
    return known != NodeTable::absent ? known : stored(request);
  }

  NodeIndex stored(const Request& request) {
    const NodeIndex index = arena_.append(new_item(request.key));
    table_.insert(request.hash, index);
    return index;
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
