// SPDX-License-Identifier: MIT
#include "trees/universe.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>
#include <vector>

#include "model/bits.h"
#include "model/hash.h"

namespace moorea {
namespace {

// Coordinates of a square of cells: columns x to x + 2^level - 1.
struct Square {
  int level;
  std::int64_t x, y;
  std::int64_t side() const { return std::int64_t{1} << level; }
  std::int64_t half() const { return side() / 2; }
  Box box() const { return {x, y, side(), side()}; }
  Square quadrant(int i) const {
    return {level - 1, x + (i % 2 != 0 ? half() : 0), y + (i / 2 != 0 ? half() : 0)};
  }
};

std::array<NodeIndex, 4> quadrants(const NodeKey& key) { return {key.nw, key.ne, key.sw, key.se}; }
NodeKey key_from(const std::array<NodeIndex, 4>& nodes) { return {nodes[0], nodes[1], nodes[2], nodes[3]}; }

// Levels whose squares have coordinates of 64 bits, wherever functions accept cells.
constexpr int max_direct_level = 62;

NodeIndex centre_leaf(NodeStore& store, const NodeKey& leaves) {
  const LeafRows &nw = store.leaf_rows(leaves.nw), &ne = store.leaf_rows(leaves.ne);
  const LeafRows &sw = store.leaf_rows(leaves.sw), &se = store.leaf_rows(leaves.se);
  LeafRows rows;
  for (std::size_t y = 0; y < 8; ++y) {
    rows[y] = static_cast<std::uint16_t>(nw[y + 8] >> 8 | ne[y + 8] << 8);
    rows[y + 8] = static_cast<std::uint16_t>(sw[y] >> 8 | se[y] << 8);
  }
  return store.leaf(rows);
}

Square square_of(const Universe& universe) {
  const std::int64_t half = std::int64_t{1} << (universe.level - 1);
  return {universe.level, -half, -half};
}

struct PlacedNode {
  Square square;
  NodeIndex node;
};

// The universe, as far as its coordinates have 64 bits. A const store: the centre of a larger one is found
// without new nodes.
std::vector<PlacedNode> direct_parts(const NodeStore& store, const Universe& universe) {
  if (universe.level <= max_direct_level) return {{square_of(universe), universe.root}};
  std::array<NodeIndex, 4> corners = quadrants(store.children(universe.level, universe.root));
  for (int level = universe.level - 1; level >= max_direct_level; --level)
    for (std::size_t i = 0; i < 4; ++i) corners[i] = quadrants(store.children(level, corners[i]))[3 - i];
  const Square whole = square_of({max_direct_level, empty_node});
  std::vector<PlacedNode> parts;
  for (int i = 0; i < 4; ++i) parts.push_back({whole.quadrant(i), corners[static_cast<std::size_t>(i)]});
  return parts;
}

class Reader {
 public:
  Reader(const NodeStore& store, const Box& box, const GridView& to) : store_(store), box_(box), to_(to) {}

  void read(const Square& square, NodeIndex node) {
    if (node == empty_node || intersect(square.box(), box_).empty()) return;
    if (square.level == leaf_level) {
      read_leaf(square, store_.leaf_rows(node));
      return;
    }
    const std::array<NodeIndex, 4> children = quadrants(store_.children(square.level, node));
    for (int i = 0; i < 4; ++i) read(square.quadrant(i), children[static_cast<std::size_t>(i)]);
  }

 private:
  void read_leaf(const Square& square, const LeafRows& rows) {
    const Box shared = intersect(square.box(), box_);
    const std::int64_t column = shared.x - box_.x;
    for (std::int64_t y = shared.y; y < shared.bottom(); ++y) {
      const std::uint64_t cells = rows[static_cast<std::size_t>(y - square.y)] >> (shared.x - square.x) &
                                  ((std::uint64_t{1} << shared.width) - 1);
      std::uint64_t* const row = to_.words + (y - box_.y) * to_.words_per_row;
      row[column / 64] |= cells << column % 64;
      if (column % 64 + shared.width > 64) row[column / 64 + 1] |= cells >> (64 - column % 64);
    }
  }

  const NodeStore& store_;
  const Box& box_;
  const GridView& to_;
};

class Writer {
 public:
  Writer(NodeStore& store, const ConstGridView& cells, Position at)
      : store_(store), cells_(cells), box_{at.x, at.y, cells.width, cells.height} {}

  NodeIndex write(const Universe& universe) {
    const int level = universe.level;
    if (level <= max_direct_level) return write(square_of(universe), universe.root);
    const NodeIndex centre = write(Universe{level - 1, centre_of(store_, level, universe.root)});
    const NodeKey inner = store_.children(level - 1, centre);
    const NodeKey key = store_.children(level, universe.root);
    NodeKey nw = store_.children(level - 1, key.nw), ne = store_.children(level - 1, key.ne);
    NodeKey sw = store_.children(level - 1, key.sw), se = store_.children(level - 1, key.se);
    nw.se = inner.nw;
    ne.sw = inner.ne;
    sw.ne = inner.sw;
    se.nw = inner.se;
    return store_.join(level, {store_.join(level - 1, nw), store_.join(level - 1, ne),
                               store_.join(level - 1, sw), store_.join(level - 1, se)});
  }

 private:
  NodeIndex write(const Square& square, NodeIndex node) {
    if (intersect(square.box(), box_).empty()) return node;
    if (square.level == leaf_level) return store_.leaf(leaf_rows(square, store_.leaf_rows(node)));
    std::array<NodeIndex, 4> children = quadrants(store_.children(square.level, node));
    for (int i = 0; i < 4; ++i) {
      NodeIndex& child = children[static_cast<std::size_t>(i)];
      child = write(square.quadrant(i), child);
    }
    return store_.join(square.level, key_from(children));
  }

  LeafRows leaf_rows(const Square& square, LeafRows rows) const {
    const Box shared = intersect(square.box(), box_);
    const auto shift = static_cast<int>(shared.x - square.x);
    const std::uint64_t mask = (std::uint64_t{1} << shared.width) - 1;
    for (std::int64_t y = shared.y; y < shared.bottom(); ++y) {
      const std::uint64_t* const row = cells_.words + (y - box_.y) * cells_.words_per_row;
      const std::uint64_t cells = cells_at(row, words_for(cells_.width), shared.x - box_.x) & mask;
      std::uint16_t& to = rows[static_cast<std::size_t>(y - square.y)];
      to = static_cast<std::uint16_t>((to & ~(mask << shift)) | cells << shift);
    }
    return rows;
  }

  NodeStore& store_;
  const ConstGridView& cells_;
  Box box_;
};

// Smallest level whose square around the origin contains the box.
int level_for(const Box& box) {
  const std::int64_t reach = std::max({-box.x, -box.y, box.right(), box.bottom(), std::int64_t{1}});
  return std::max(leaf_level, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(reach - 1))) + 1);
}

}  // namespace

NodeIndex enlarged(NodeStore& store, int level, NodeIndex node) {
  if (node == empty_node) return empty_node;
  if (level > leaf_level) {
    const NodeKey key = store.children(level, node);
    return store.join(level + 1,
                      {store.join(level, {0, 0, 0, key.nw}), store.join(level, {0, 0, key.ne, 0}),
                       store.join(level, {0, key.sw, 0, 0}), store.join(level, {key.se, 0, 0, 0})});
  }
  LeafRows nw{}, ne{}, sw{}, se{};
  const LeafRows rows = store.leaf_rows(node);
  for (std::size_t y = 0; y < 8; ++y) {
    nw[y + 8] = static_cast<std::uint16_t>(rows[y] << 8);
    ne[y + 8] = static_cast<std::uint16_t>(rows[y] >> 8);
    sw[y] = static_cast<std::uint16_t>(rows[y + 8] << 8);
    se[y] = static_cast<std::uint16_t>(rows[y + 8] >> 8);
  }
  return store.join(leaf_level + 1, {store.leaf(nw), store.leaf(ne), store.leaf(sw), store.leaf(se)});
}

NodeIndex centre_of(NodeStore& store, int level, NodeIndex node) {
  const NodeKey key = store.children(level, node);
  if (level == leaf_level + 1) return centre_leaf(store, key);
  return store.join(level - 1, {store.children(level - 1, key.nw).se, store.children(level - 1, key.ne).sw,
                                store.children(level - 1, key.sw).ne, store.children(level - 1, key.se).nw});
}

Universe trimmed(NodeStore& store, const Universe& universe) {
  Universe small = universe;
  while (small.level > leaf_level) {
    if (small.root == empty_node) return {};
    const Universe inner = {small.level - 1, centre_of(store, small.level, small.root)};
    if (enlarged(store, inner.level, inner.root) != small.root) break;
    small = inner;
  }
  return small;
}

Universe padded(NodeStore& store, const Universe& universe, int level) {
  Universe large = universe;
  for (; large.level < level; ++large.level) large.root = enlarged(store, large.level, large.root);
  return large;
}

void read_cells(const NodeStore& store, const Universe& universe, const Box& box, const GridView& to) {
  for (std::int64_t y = 0; y < to.height; ++y) std::ranges::fill(to.row(y), 0);
  Reader reader(store, box, to);
  for (const PlacedNode& part : direct_parts(store, universe)) reader.read(part.square, part.node);
}

std::vector<Box> live_squares(const NodeStore& store, const Universe& universe, const Box& box) {
  // Small squares take a list, and large ones memory for their rows of cells
  constexpr int min_level = 6, max_wanted_level = 10;
  constexpr std::size_t many = 1 << 16, max_squares = 1 << 22;
  std::vector<PlacedNode> squares = direct_parts(store, universe), smaller;
  const auto is_seen = [&](const PlacedNode& part) {
    return part.node != empty_node && !intersect(part.square.box(), box).empty();
  };
  std::erase_if(squares, std::not_fn(is_seen));
  const auto is_divided = [&](int level) {
    return level > min_level && squares.size() < (level > max_wanted_level ? max_squares : many);
  };
  while (!squares.empty() && is_divided(squares.front().square.level)) {
    smaller.clear();
    for (const PlacedNode& part : squares) {
      const std::array<NodeIndex, 4> children = quadrants(store.children(part.square.level, part.node));
      for (int i = 0; i < 4; ++i) {
        const PlacedNode quadrant = {part.square.quadrant(i), children[static_cast<std::size_t>(i)]};
        if (is_seen(quadrant)) smaller.push_back(quadrant);
      }
    }
    squares.swap(smaller);
  }
  std::vector<Box> boxes;
  for (const PlacedNode& part : squares) boxes.push_back(intersect(part.square.box(), box));
  std::ranges::sort(boxes, {}, [](const Box& part) { return std::pair(part.y, part.x); });
  return boxes;
}

Universe with_cells(NodeStore& store, const Universe& universe, const ConstGridView& cells, Position at) {
  if (cells.width == 0 || cells.height == 0) return universe;
  const Universe large = padded(store, universe, level_for({at.x, at.y, cells.width, cells.height}));
  return {large.level, Writer(store, cells, at).write(large)};
}

}  // namespace moorea
