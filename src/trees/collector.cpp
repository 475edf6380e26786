// SPDX-License-Identifier: MIT
#include "trees/collector.h"

#include <algorithm>

#include "trees/ranked_bits.h"

namespace moorea {
namespace {

using Sets = std::vector<RankedBits>;  // from level 4 on

RankedBits& set_of(Sets& sets, int level) { return sets[static_cast<std::size_t>(level - leaf_level)]; }

// REM of a level; null if no node has one.
Remainders* remainders_of(const Collection& collection, int level) {
  const auto i = static_cast<std::size_t>(level);
  if (i >= collection.remainders.size() || collection.remainders[i].empty()) return nullptr;
  return &collection.remainders[i];
}

Sets marked(const Collection& collection, bool keep_results) {
  NodeStore& store = collection.store;
  const int top = store.levels();
  Sets sets(static_cast<std::size_t>(top - leaf_level + 1));
  set_of(sets, leaf_level) = RankedBits(store.leaves().size());
  for (int level = leaf_level + 1; level <= top; ++level)
    set_of(sets, level) = RankedBits(store.level(level).size());
  for (RankedBits& set : sets) set.set(empty_node);
  collection.visit_roots([&](int level, NodeIndex& node) { set_of(sets, level).set(node); });
  for (int level = top; level > leaf_level; --level) {
    const NodeArena<Node>& nodes = store.level(level);
    Remainders* const remainders = remainders_of(collection, level);
    RankedBits& below = set_of(sets, level - 1);
    set_of(sets, level).for_each([&](NodeIndex index) {
      const Node& node = nodes[index];
      const NodeKey& key = node.children;
      for (const NodeIndex child : {key.nw, key.ne, key.sw, key.se}) below.set(child);
      if (!keep_results) return;
      if (node.result < first_marker) below.set(node.result);
      if (remainders == nullptr) return;
      const NodeIndex remainder = remainders->result_of(index);
      if (remainder < first_marker) below.set(remainder);
    });
  }
  for (RankedBits& set : sets) set.count();
  return sets;
}

// A result after renumbering; markers stay.
NodeIndex renumbered(const RankedBits& below, NodeIndex result) {
  if (result >= first_marker) return result;
  return below.test(result) ? below.rank(result) : no_result;
}

void compact(NodeArena<Node>& nodes, const RankedBits& set, const RankedBits& below, Remainders* remainders) {
  std::size_t kept = 0;
  set.for_each([&](NodeIndex index) {
    const Node node = nodes[index];
    const NodeKey& key = node.children;
    nodes[static_cast<NodeIndex>(kept)] = {
        {below.rank(key.nw), below.rank(key.ne), below.rank(key.sw), below.rank(key.se)},
        renumbered(below, node.result)};
    if (remainders != nullptr && kept < remainders->size())
      remainders->values()[kept] = ~renumbered(below, remainders->result_of(index));
    ++kept;
  });
  nodes.shrink(kept);
  if (remainders != nullptr) remainders->shrink(kept);
}

double removed_share(const Collection& collection, const Sets& sets) {
  std::size_t kept = 0;
  for (const RankedBits& set : sets) kept += set.size() - 1;
  const auto all = static_cast<double>(collection.store.nodes());
  return all == 0 ? 1 : 1 - static_cast<double>(kept) / all;
}

}  // namespace

void collect(const Collection& collection, double min_removed) {
  Sets sets = marked(collection, true);
  if (removed_share(collection, sets) < min_removed) {
    sets.clear();
    sets = marked(collection, false);
  }
  NodeStore& store = collection.store;
  collection.visit_roots([&](int level, NodeIndex& node) { node = set_of(sets, level).rank(node); });
  std::size_t kept = 0;
  set_of(sets, leaf_level).for_each([&](NodeIndex leaf) {
    store.leaves()[static_cast<NodeIndex>(kept++)] = store.leaves()[leaf];
  });
  store.leaves().shrink(kept);
  for (int level = leaf_level + 1; level <= store.levels(); ++level) {
    compact(store.level(level), set_of(sets, level), set_of(sets, level - 1),
            remainders_of(collection, level));
  }
}

}  // namespace moorea
