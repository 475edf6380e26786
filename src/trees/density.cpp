// SPDX-License-Identifier: MIT
// Densities from the populations of nodes: squares inside one square of the raster are not divided further.
#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>

#include "model/bits.h"
#include "trees/universe.h"

namespace moorea {
namespace {

// Counts in squares as `Count`, and in nodes as `NodeCount`.
template <class Count, class NodeCount>
class Counter {
 public:
  Counter(const NodeStore& store, const Raster& raster)
      : store_(store),
        raster_(raster),
        box_{raster.x, raster.y, raster.columns * raster.scale, raster.rows * raster.scale},
        squares_(static_cast<std::size_t>(raster.columns * raster.rows)) {}

  /// Adds the cells of a node whose top-left cell is at `corner`.
  void add(int level, NodeIndex node, Position corner) {
    const std::int64_t side = std::int64_t{1} << level;
    const Box inside = intersect({corner.x, corner.y, side, side}, box_);
    if (node == empty_node || inside.empty()) return;
    const Position first = square_at(inside.x, inside.y);
    const bool is_whole = inside.width == side && inside.height == side;
    if (is_whole && first == square_at(inside.right() - 1, inside.bottom() - 1)) {
      square(first) += static_cast<Count>(population(level, node));
    } else if (level == leaf_level) {
      add_leaf(store_.leaf_rows(node), corner, inside);
    } else {
      const NodeKey key = store_.children(level, node);
      const std::int64_t half = side / 2;
      add(level - 1, key.nw, corner);
      add(level - 1, key.ne, corner + Position{half, 0});
      add(level - 1, key.sw, corner + Position{0, half});
      add(level - 1, key.se, corner + Position{half, half});
    }
  }

  std::vector<Count> squares() { return std::move(squares_); }

 private:
  Position square_at(std::int64_t x, std::int64_t y) const {
    return {(x - raster_.x) / raster_.scale, (y - raster_.y) / raster_.scale};
  }
  Count& square(Position at) { return squares_[static_cast<std::size_t>(at.y * raster_.columns + at.x)]; }

  void add_leaf(const LeafRows& rows, Position corner, const Box& inside) {
    for (std::int64_t y = inside.y; y < inside.bottom(); ++y) {
      for (std::int64_t x = inside.x; x < inside.right(); ++x)
        square(square_at(x, y)) += rows[static_cast<std::size_t>(y - corner.y)] >> (x - corner.x) & 1u;
    }
  }

  NodeCount population(int level, NodeIndex node) {
    if (node == empty_node) return 0;
    if (level == leaf_level) {
      std::uint64_t count = 0;
      for (const std::uint64_t row : store_.leaf_rows(node)) count += popcount(row);
      return static_cast<NodeCount>(count);
    }
    NodeCount* const known = memory_of(level, node);
    if (known != nullptr && *known >= 0) return *known;
    if (known == nullptr) {
      if (const auto found = others_.find(name(level, node)); found != others_.end()) return found->second;
    }
    const NodeKey key = store_.children(level, node);
    NodeCount count = 0;
    for (const NodeIndex child : {key.nw, key.ne, key.sw, key.se}) count += population(level - 1, child);
    if (known != nullptr)
      *known = count;  // only lower levels were enlarged meanwhile
    else
      others_.emplace(name(level, node), count);
    return count;
  }

  static std::uint64_t name(int level, NodeIndex node) {
    return static_cast<std::uint64_t>(level) << 32 | node;
  }

  // Where the population of a node is kept whose number is small; -1: not known. Null for other nodes.
  NodeCount* memory_of(int level, NodeIndex node) {
    constexpr NodeIndex max_known = 1 << 20;
    if (node >= max_known) return nullptr;
    std::vector<NodeCount>& known = populations_[static_cast<std::size_t>(level)];
    if (node >= known.size()) known.resize(std::min<std::size_t>(2 * std::size_t{node} + 64, max_known), -1);
    return &known[node];
  }

  const NodeStore& store_;
  const Raster& raster_;
  Box box_;
  std::vector<Count> squares_;
  std::array<std::vector<NodeCount>, 64> populations_;  // by level
  std::unordered_map<std::uint64_t, NodeCount> others_;
};

template <class Count, class NodeCount>
std::vector<Count> counted(const NodeStore& store, const Universe& universe, const Raster& raster) {
  constexpr int max_level = 62;  // coordinates of 64 bits; cells further away are outside a raster
  Counter<Count, NodeCount> counter(store, raster);
  NodeKey corners = store.children(std::max(universe.level, leaf_level + 1),
                                   universe.level > leaf_level ? universe.root : empty_node);
  int level = universe.level;
  for (; level > max_level; --level)
    corners = {store.children(level - 1, corners.nw).se, store.children(level - 1, corners.ne).sw,
               store.children(level - 1, corners.sw).ne, store.children(level - 1, corners.se).nw};
  const std::int64_t half = std::int64_t{1} << (level - 1);
  if (level == leaf_level) {
    counter.add(level, universe.root, {-half, -half});
    return counter.squares();
  }
  counter.add(level - 1, corners.nw, {-half, -half});
  counter.add(level - 1, corners.ne, {0, -half});
  counter.add(level - 1, corners.sw, {-half, 0});
  counter.add(level - 1, corners.se, {0, 0});
  return counter.squares();
}

}  // namespace

// Squares of the raster have at most 2^32 cells.
std::vector<std::uint32_t> density_of_cells(const NodeStore& store, const Universe& universe,
                                            const Raster& raster) {
  return counted<std::uint32_t, std::int64_t>(store, universe, raster);
}

std::vector<double> far_density_of_cells(const NodeStore& store, const Universe& universe,
                                         const Raster& raster) {
  return counted<double, double>(store, universe, raster);
}

}  // namespace moorea
