// SPDX-License-Identifier: MIT
// Squares of cells as nodes of quadtrees, each stored once (hash consing; Gosper, "Exploiting regularities in
// large cellular spaces", Physica D 10, 1984). A node of level k is a square of 2^k x 2^k cells. It has four
// children of level k - 1; those of level 4 are leaves, 16 x 16 cells. Nodes are numbered per level, and
// number 0 of each level is the empty square.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "trees/node_table.h"
#include "trees/page_buffer.h"

namespace moorea {

constexpr int leaf_level = 4;
constexpr NodeIndex empty_node = 0;

/// Cells of a leaf: bit x of row y is the cell in column x.
using LeafRows = std::array<std::uint16_t, 16>;

/// The children of a node: north-west, north-east, south-west, south-east.
struct NodeKey {
  NodeIndex nw = 0, ne = 0, sw = 0, se = 0;
  friend bool operator==(const NodeKey&, const NodeKey&) = default;
  bool is_empty() const { return (nw | ne | sw | se) == 0; }
};

enum class Quadrant { nw, ne, sw, se };

/// A node with its result, the centre of half the side after 2^(k - 2) generations: a node of level k - 1, or
/// a marker from `first_marker` on.
struct Node {
  NodeKey children;
  NodeIndex result;
};
static_assert(sizeof(Node) == 20);

/// Values of a result that are no node: `no_result`, or, below it, places in the queue of an evaluation.
constexpr NodeIndex first_marker = 0xC0000000;
constexpr NodeIndex no_result = 0xFFFFFFFF;

/// How a store uses memory, and, for tests, how it hashes.
struct StoreOptions {
  bool huge_pages = true;
  std::uint64_t hash_mask = ~std::uint64_t{0};  ///< bits of the hashes that are used: few provoke collisions
};

/// The squares of one level, with their table: an arena of `Item`, Node or LeafRows. Insertions need room(),
/// which is made in advance so that none of them moves memory.
template <class Item>
class NodeArena {
 public:
  explicit NodeArena(const StoreOptions& options);

  Item* items() { return reinterpret_cast<Item*>(memory_.begin()); }
  const Item* items() const { return reinterpret_cast<const Item*>(memory_.begin()); }
  Item& operator[](NodeIndex index) { return items()[index]; }
  const Item& operator[](NodeIndex index) const { return items()[index]; }

  /// Number of nodes, with the empty one.
  std::size_t size() const { return size_; }
  std::size_t room() const { return room_ - size_; }
  NodeTable& table() { return table_; }
  std::uint64_t masked(std::uint64_t hash) const { return hash & hash_mask_; }

  /// Makes room for `count` more nodes. Throws Error (memory) if the system grants none.
  void make_room(std::size_t count) {
    if (room() < count) grow(count);
  }
  /// Bytes that growth for `count` more nodes would add.
  std::size_t bytes_to_make_room(std::size_t count) const;
  std::size_t bytes() const;

  /// Appends an item without an entry in the table; there must be room.
  NodeIndex append(const Item& item) {
    items()[size_] = item;
    return static_cast<NodeIndex>(size_++);
  }

  /// Keeps the first `size` items and builds the table again.
  void shrink(std::size_t size);

 private:
  void grow(std::size_t count);
  void rebuild_table(std::size_t capacity);
  std::size_t grown_room(std::size_t count) const;

  PageBuffer memory_;
  NodeTable table_;
  std::size_t size_ = 0, room_ = 0;
  std::uint64_t hash_mask_;
  bool huge_pages_;
};

/// Nodes of all levels. Not thread-safe.
class NodeStore {
 public:
  explicit NodeStore(const StoreOptions& options = {});

  /// The leaf with these cells.
  NodeIndex leaf(const LeafRows& rows);
  /// The node of `level`, 5 or more, with these children of level - 1. Throws Error (memory).
  NodeIndex join(int level, const NodeKey& children);

  const LeafRows& leaf_rows(NodeIndex leaf) const { return leaves_[leaf]; }
  NodeKey children(int level, NodeIndex node) const {
    if (node == empty_node) return {};
    return levels_[static_cast<std::size_t>(level - leaf_level - 1)]->operator[](node).children;
  }
  NodeIndex child(int level, NodeIndex node, Quadrant quadrant) const;

  /// Number of nodes of all levels without the empty ones, and the memory they occupy.
  std::size_t nodes() const;
  std::size_t bytes() const;

  NodeArena<LeafRows>& leaves() { return leaves_; }
  /// Nodes of `level`, 5 or more.
  NodeArena<Node>& level(int level);
  /// The largest level that has an arena; 4 if none has.
  int levels() const { return static_cast<int>(levels_.size()) + leaf_level; }

 private:
  StoreOptions options_;
  NodeArena<LeafRows> leaves_;
  std::vector<std::unique_ptr<NodeArena<Node>>> levels_;  // from level 5 on
};

namespace detail {

__extension__ typedef unsigned __int128 WideProduct;

inline std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) {
  const WideProduct product = static_cast<WideProduct>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

}  // namespace detail

/// Keys as words of 64 bits, in registers: loads of a word that was just stored as halves would wait for
/// both.
using PackedKey = std::array<std::uint64_t, 2>;
using PackedRows = std::array<std::uint64_t, 4>;

inline PackedKey packed(const NodeKey& key) {
  return {key.nw | std::uint64_t{key.ne} << 32, key.sw | std::uint64_t{key.se} << 32};
}
inline PackedRows packed(const LeafRows& rows) { return std::bit_cast<PackedRows>(rows); }
inline PackedKey packed_key(const Node& node) {
  PackedKey key;
  std::memcpy(key.data(), &node.children, sizeof key);
  return key;
}
inline PackedRows packed_key(const LeafRows& rows) { return packed(rows); }

inline std::uint64_t hash_of(const PackedKey& key) {
  return detail::folded_product(key[0] ^ 0x9E3779B97F4A7C15, key[1] ^ 0xD6E8FEB86659FD93);
}
inline std::uint64_t hash_of(const PackedRows& rows) {
  const std::uint64_t upper =
      detail::folded_product(rows[0] ^ 0x9E3779B97F4A7C15, rows[1] ^ 0xD6E8FEB86659FD93);
  return detail::folded_product(upper ^ rows[2] ^ 0xA0761D6478BD642F, rows[3] ^ 0xE7037ED1A0B428DB);
}

inline NodeKey unpacked(const PackedKey& key) { return std::bit_cast<NodeKey>(key); }
inline const NodeKey& unpacked(const NodeKey& key) { return key; }
inline const PackedKey& packed(const PackedKey& key) { return key; }
inline const PackedRows& packed(const PackedRows& rows) { return rows; }
inline Node new_item(const PackedKey& key) { return {unpacked(key), no_result}; }
inline LeafRows new_item(const PackedRows& rows) { return std::bit_cast<LeafRows>(rows); }

/// A square of 2^level x 2^level cells whose centre is the origin: columns and rows from -2^(level - 1) on.
struct Universe {
  int level = leaf_level;
  NodeIndex root = empty_node;
};

}  // namespace moorea
