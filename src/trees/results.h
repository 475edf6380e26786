// SPDX-License-Identifier: MIT
// The two results of a node of level k, its centre of level k - 1 at a later time: FULL, after 2^(k - 2)
// generations, is a field of the node and valid for ever; REM, after the remainder of the present step modulo
// 2^(k - 2), is in an array beside the arena, which exists for the levels at which a step needs it.
#pragma once

#include <algorithm>
#include <cstddef>

#include "trees/node_store.h"
#include "trees/page_buffer.h"

namespace moorea {

enum class Target { full, remainder };

/// Access to one of the results of all nodes of a level.
template <Target target>
class ResultField;

template <>
class ResultField<Target::full> {
 public:
  explicit ResultField(Node* nodes) : nodes_(nodes) {}
  NodeIndex read(NodeIndex node) const { return nodes_[node].result; }
  void write(NodeIndex node, NodeIndex result) const { nodes_[node].result = result; }
  [[gnu::always_inline]] void prefetch(NodeIndex) const {}  // is fetched with the node

 private:
  Node* nodes_;
};

/// Values are stored complemented, so that fresh pages are nodes without results.
template <>
class ResultField<Target::remainder> {
 public:
  explicit ResultField(NodeIndex* values) : values_(values) {}
  NodeIndex read(NodeIndex node) const { return ~values_[node]; }
  void write(NodeIndex node, NodeIndex result) const { values_[node] = ~result; }
  [[gnu::always_inline]] void prefetch(NodeIndex node) const { __builtin_prefetch(values_ + node); }

 private:
  NodeIndex* values_;
};

/// REM of the nodes of a level.
class Remainders {
 public:
  NodeIndex* values() { return reinterpret_cast<NodeIndex*>(memory_.begin()); }
  bool empty() const { return memory_.size() == 0; }
  std::size_t size() const { return memory_.size() / sizeof(NodeIndex); }

  NodeIndex result_of(NodeIndex node) { return node < size() ? ~values()[node] : no_result; }
  /// Bytes of the values of a level of `nodes` nodes.
  std::size_t used_bytes(std::size_t nodes) const { return std::min(nodes, size()) * sizeof(NodeIndex); }

  /// Makes room for `nodes` nodes. Throws Error (memory).
  void make_room(std::size_t nodes, bool huge_pages);
  /// Nodes from `size` on have no result.
  void shrink(std::size_t size);
  void clear() { memory_.clear(); }

 private:
  PageBuffer memory_;
};

}  // namespace moorea
