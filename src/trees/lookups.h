// SPDX-License-Identifier: MIT
// Look-ups by group prefetching (Chen, Ailamaki, Gibbons and Mowry, "Improving hash join performance through
// prefetching", ACM TODS 32, 2007): keys pass in blocks of 32. A key is pushed and its bucket prefetched;
// when the next block is complete, the bucket is examined and the node that the tag selects is prefetched, or
// a new node is stored; a block later the keys are compared. Latencies of memory overlap, and each stage is a
// short loop. Probes have the order of the pushes, so that equal keys find the first one's node.
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
[[gnu::always_inline]] inline void prefetch_item(const Item* item) {
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
    for (NodeIndex* const to : waiting) *to = results[*to - first_marker];
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

/// A key whose look-up must wait until nodes and results may change, and where its number goes.
template <class Key>
struct WaitingKey {
  Key key;
  NodeIndex* to;
};

/// How look-ups treat keys without a node.
enum class Absent {
  stored,  ///< they become nodes, for which the arena has room
  listed,  ///< they are left out, as other threads read the arena
};

/// Look-ups in one arena. `found(key, index, to)` is called for each key that is pushed, packed;
/// `fetch(index)` prefetches what `found` reads besides the node. Keys without a node may be listed instead,
/// in `waiting`, in the order of the pushes.
template <class Item, Absent absent, class Found, class Fetch>
class Lookups {
 public:
  using Key = decltype(packed_key(std::declval<const Item&>()));
  using Waiting = std::vector<WaitingKey<Key>>;

  Lookups(NodeArena<Item>& arena, Found found, Fetch fetch, Waiting* waiting = nullptr)
      : arena_(arena),
        table_(arena.table()),
        items_(arena.items()),
        found_(found),
        fetch_(fetch),
        waiting_(waiting) {}
  Lookups(const Lookups&) = delete;
  Lookups& operator=(const Lookups&) = delete;

  /// Looks up a key; the empty square is known.
  [[gnu::always_inline]] void push(const Key& key, NodeIndex* to) {
    if (key == Key{}) {
      *to = empty_node;
      return;
    }
    const std::uint64_t hash = arena_.masked(hash_of(key));
    table_.prefetch(hash);
    Request& request = *next_++;
    // From registers: a vector of words that were just stored one by one would wait for the stores
    for (std::size_t i = 0; i < key.size(); ++i) {
      std::uint64_t word = key[i];
      asm("" : "+r"(word));
      request.key[i] = word;
    }
    request.hash = hash;
    request.to = to;
    if (next_ == newest_->requests.data() + block_size) turn();
  }

  /// Treats a node whose number is known as if its key had been pushed.
  [[gnu::always_inline]] void known(const NodeKey& key, NodeIndex index, NodeIndex* to) {
    found_(key, index, to);
  }

  void finish() {
    turn();
    turn();
    turn();
  }

 private:
  static constexpr std::size_t block_size = 32;

  struct Request {
    Key key;
    std::uint64_t hash;
    NodeIndex* to;
    NodeIndex candidate;
  };
  struct Block {
    std::array<Request, block_size> requests;
    std::size_t size = 0;
  };

  // Ends the newest block, and moves the older ones one stage forward.
  [[gnu::noinline]] void turn() {
    newest_->size = static_cast<std::size_t>(next_ - newest_->requests.data());
    Block& before = *(newest_ == &blocks_[0] ? &blocks_[2] : newest_ - 1);
    Block& oldest = *(newest_ == &blocks_[2] ? &blocks_[0] : newest_ + 1);
    probe(before);
    verify(oldest);
    oldest.size = 0;
    newest_ = &oldest;
    next_ = oldest.requests.data();
  }

  [[gnu::always_inline]] void probe(Block& block) {
    const Item* const items = items_;
    for (std::size_t i = 0; i < block.size; ++i) {
      Request& request = block.requests[i];
      // A number of a missing node is that of the empty one, whose key differs
      NodeIndex candidate = table_.find(request.hash, [](NodeIndex) { return true; });
      if (absent == Absent::stored && candidate == NodeTable::absent) candidate = stored(request);
      request.candidate = candidate;
      prefetch_item(items + candidate);
      fetch_(candidate);
    }
  }

  [[gnu::always_inline]] void verify(Block& block) {
    const Item* const items = items_;
    for (std::size_t i = 0; i < block.size; ++i) {
      const Request& request = block.requests[i];
      NodeIndex index = request.candidate;
      if (packed_key(items[index]) != request.key) [[unlikely]]
        index = examined(request);
      if (absent == Absent::listed && index == NodeTable::absent) [[unlikely]] {
        waiting_->push_back({request.key, request.to});
        continue;
      }
      found_(request.key, index, request.to);
    }
  }

  // The node, if the first one with its tag is another.
  [[gnu::noinline]] NodeIndex examined(const Request& request) {
    const NodeIndex node =
        table_.find(request.hash, [&](NodeIndex index) { return packed_key(items_[index]) == request.key; });
    return absent == Absent::listed || node != NodeTable::absent ? node : stored(request);
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
  Waiting* const waiting_;
  std::array<Block, 3> blocks_;
  Block* newest_ = blocks_.data();
  Request* next_ = newest_->requests.data();  // of the newest block
};

}  // namespace moorea
