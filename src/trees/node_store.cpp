// SPDX-License-Identifier: MIT
#include "trees/node_store.h"

#include <algorithm>

#include "moorea/error.h"

namespace moorea {
namespace {

constexpr std::size_t first_room = 64;
constexpr std::size_t max_nodes = first_marker;  // results above are markers

}  // namespace

template <class Item>
NodeArena<Item>::NodeArena(const StoreOptions& options)
    : hash_mask_(options.hash_mask), huge_pages_(options.huge_pages) {
  grow(first_room);
  append({});
}

template <class Item>
std::size_t NodeArena<Item>::grown_room(std::size_t count) const {
  // Twice as many while that is little memory, then half as many more
  const std::size_t more = size_ < (std::size_t{1} << 19) ? size_ : size_ / 2;
  return std::max({size_ + count, size_ + more, first_room});
}

template <class Item>
std::size_t NodeArena<Item>::bytes_to_make_room(std::size_t count) const {
  if (room() >= count) return count * sizeof(Item);
  const std::size_t table = NodeTable::bytes_for(grown_room(count));
  return count * sizeof(Item) + (table > table_.bytes() ? table - table_.bytes() : 0);
}

template <class Item>
std::size_t NodeArena<Item>::bytes() const {
  return resident_bytes(size_ * sizeof(Item), huge_pages_) + resident_bytes(table_.bytes(), huge_pages_);
}

template <class Item>
void NodeArena<Item>::grow(std::size_t count) {
  if (size_ + count > max_nodes)
    throw Error(
        "a level of the tree has more than 3221225472 nodes: use a smaller limit of memory, so that "
        "they are collected",
        ErrorKind::memory);
  const std::size_t room = grown_room(count);
  if (!memory_.grow(room * sizeof(Item), huge_pages_))
    throw Error(
        "the system grants no more memory for the nodes of the tree: give it a limit of memory, or "
        "free some",
        ErrorKind::memory);
  room_ = room;
  if (table_.capacity() < room) rebuild_table(room);
}

template <class Item>
void NodeArena<Item>::rebuild_table(std::size_t capacity) {
  if (!table_.reset(capacity, huge_pages_))
    throw Error(
        "the system grants no more memory for the table of the tree's nodes: give it a limit of "
        "memory, or free some",
        ErrorKind::memory);
  // Insertions follow the prefetches of their lines
  constexpr std::size_t distance = 16;
  std::array<std::uint64_t, distance> hashes{};
  for (std::size_t i = 1; i < size_ + distance; ++i) {
    if (i > distance) table_.insert(hashes[i % distance], static_cast<NodeIndex>(i - distance));
    if (i >= size_) continue;
    hashes[i % distance] = masked(hash_of(packed_key(items()[i])));
    table_.prefetch(hashes[i % distance]);
  }
}

template <class Item>
void NodeArena<Item>::shrink(std::size_t size) {
  size_ = size;
  memory_.release_beyond(size * sizeof(Item));
  room_ = std::min(room_, grown_room(0));
  rebuild_table(room_);
}

template class NodeArena<Node>;
template class NodeArena<LeafRows>;

NodeStore::NodeStore(const StoreOptions& options) : options_(options), leaves_(options) {}

NodeArena<Node>& NodeStore::level(int level) {
  while (levels() < level) levels_.push_back(std::make_unique<NodeArena<Node>>(options_));
  return *levels_[static_cast<std::size_t>(level - leaf_level - 1)];
}

NodeIndex NodeStore::leaf(const LeafRows& rows) {
  if (rows == LeafRows{}) return empty_node;
  leaves_.make_room(1);
  const std::uint64_t hash = leaves_.masked(hash_of(packed(rows)));
  const NodeIndex known = leaves_.table().find(hash, [&](NodeIndex index) { return leaves_[index] == rows; });
  if (known != NodeTable::absent) return known;
  const NodeIndex index = leaves_.append(rows);
  leaves_.table().insert(hash, index);
  return index;
}

NodeIndex NodeStore::join(int level, const NodeKey& children) {
  if (children.is_empty()) return empty_node;
  NodeArena<Node>& nodes = this->level(level);
  nodes.make_room(1);
  const std::uint64_t hash = nodes.masked(hash_of(packed(children)));
  const NodeIndex known =
      nodes.table().find(hash, [&](NodeIndex index) { return nodes[index].children == children; });
  if (known != NodeTable::absent) return known;
  const NodeIndex index = nodes.append({children, no_result});
  nodes.table().insert(hash, index);
  return index;
}

NodeIndex NodeStore::child(int level, NodeIndex node, Quadrant quadrant) const {
  const NodeKey key = children(level, node);
  switch (quadrant) {
    case Quadrant::nw:
      return key.nw;
    case Quadrant::ne:
      return key.ne;
    case Quadrant::sw:
      return key.sw;
    case Quadrant::se:
      break;
  }
  return key.se;
}

std::size_t NodeStore::nodes() const {
  std::size_t count = leaves_.size() - 1;
  for (const auto& level : levels_) count += level->size() - 1;
  return count;
}

std::size_t NodeStore::bytes() const {
  std::size_t sum = leaves_.bytes();
  for (const auto& level : levels_) sum += level->bytes();
  return sum;
}

}  // namespace moorea
