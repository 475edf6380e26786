// SPDX-License-Identifier: MIT
// Population and extent of nodes: each node is visited once, level by level.
#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "model/bits.h"
#include "model/hash.h"
#include "trees/ranked_bits.h"
#include "trees/universe.h"

namespace moorea {
namespace {

// Levels whose populations are below 2^128.
constexpr int max_wide_level = 63;

// The nodes of each level that belong to a root, the leaves first.
std::vector<RankedBits> reachable(NodeStore& store, int level, NodeIndex root) {
  std::vector<RankedBits> sets(static_cast<std::size_t>(level - leaf_level + 1));
  const auto set_of = [&](int at) -> RankedBits& { return sets[static_cast<std::size_t>(at - leaf_level)]; };
  set_of(leaf_level) = RankedBits(store.leaves().size());
  for (int at = leaf_level + 1; at <= level; ++at) set_of(at) = RankedBits(store.level(at).size());
  set_of(level).set(root);
  for (int at = level; at > leaf_level; --at) {
    const NodeArena<Node>& nodes = store.level(at);
    RankedBits& below = set_of(at - 1);
    set_of(at).for_each([&](NodeIndex node) {
      const NodeKey& key = nodes[node].children;
      for (const NodeIndex child : {key.nw, key.ne, key.sw, key.se}) below.set(child);
    });
  }
  for (RankedBits& set : sets) set.count();
  return sets;
}

// For each node of a set, `add` of what was computed for its four children, in the order of NodeKey.
template <class Sum, class Part, class Add>
std::vector<Sum> sums(const NodeArena<Node>& nodes, const RankedBits& set, const RankedBits& below,
                      const std::vector<Part>& parts, const Add& add) {
  std::vector<Sum> counts;
  counts.reserve(set.size());
  set.for_each([&](NodeIndex node) {
    const NodeKey& key = nodes[node].children;
    counts.push_back(add(parts[below.rank(key.nw)], parts[below.rank(key.ne)], parts[below.rank(key.sw)],
                         parts[below.rank(key.se)]));
  });
  return counts;
}

BigInteger big(uint128 value) {
  return (BigInteger(static_cast<std::uint64_t>(value >> 64)) << 64) +
         BigInteger(static_cast<std::uint64_t>(value));
}

using Nodes = std::vector<NodeIndex>;

// Distance of the live cells from one side of a square. The nodes along that side are followed downwards;
// `outer` are the two children on that side, `inner` the other two.
class SideSearch {
 public:
  using Pair = std::array<NodeIndex NodeKey::*, 2>;
  SideSearch(const NodeStore& store, Pair outer, Pair inner) : store_(store), outer_(outer), inner_(inner) {}

  // Digits of the distance from the most significant one, as a number of `level` - 4 digits, and the leaves.
  std::pair<BigInteger, Nodes> search(const Universe& universe) const {
    BigInteger distance;
    Nodes nodes = {universe.root};
    for (int level = universe.level; level > leaf_level; --level) {
      Nodes next = live_children(level, nodes, outer_);
      distance = distance << 1;
      if (next.empty()) {
        next = live_children(level, nodes, inner_);
        distance += 1;
      }
      nodes = std::move(next);
    }
    return {distance << leaf_level, nodes};
  }

 private:
  Nodes live_children(int level, const Nodes& nodes, const Pair& which) const {
    Nodes children;
    for (const NodeIndex node : nodes) {
      const NodeKey key = store_.children(level, node);
      for (const auto member : which)
        if (key.*member != empty_node) children.push_back(key.*member);
    }
    std::ranges::sort(children);
    children.erase(std::unique(children.begin(), children.end()), children.end());
    return children;
  }

  const NodeStore& store_;
  Pair outer_, inner_;
};

LeafRows united(const NodeStore& store, const Nodes& leaves) {
  LeafRows all{};
  for (const NodeIndex leaf : leaves) {
    const LeafRows& rows = store.leaf_rows(leaf);
    for (std::size_t y = 0; y < rows.size(); ++y) all[y] = static_cast<std::uint16_t>(all[y] | rows[y]);
  }
  return all;
}

unsigned columns_of(const LeafRows& rows) {
  return std::accumulate(rows.begin(), rows.end(), 0u, [](unsigned all, unsigned row) { return all | row; });
}

}  // namespace

BigInteger population(NodeStore& store, int level, NodeIndex node) {
  if (node == empty_node) return 0;
  const std::vector<RankedBits> sets = reachable(store, level, node);
  const auto set_of = [&](int at) -> const RankedBits& {
    return sets[static_cast<std::size_t>(at - leaf_level)];
  };
  std::vector<uint128> counts;
  set_of(leaf_level).for_each([&](NodeIndex leaf) {
    const LeafRows& rows = store.leaf_rows(leaf);
    counts.push_back(
        std::accumulate(rows.begin(), rows.end(), std::uint64_t{0},
                        [](std::uint64_t sum, std::uint64_t row) { return sum + popcount(row); }));
  });
  const auto add = [](const auto& nw, const auto& ne, const auto& sw, const auto& se) {
    return nw + ne + sw + se;
  };
  const int last_wide = std::min(level, max_wide_level);
  for (int at = leaf_level + 1; at <= last_wide; ++at)
    counts = sums<uint128>(store.level(at), set_of(at), set_of(at - 1), counts, add);
  std::vector<BigInteger> large;
  for (const uint128 count : counts) large.push_back(big(count));
  for (int at = last_wide + 1; at <= level; ++at)
    large = sums<BigInteger>(store.level(at), set_of(at), set_of(at - 1), large, add);
  return large.back();
}

std::uint64_t hash_of_cells(NodeStore& store, const Universe& universe, Position origin) {
  if (universe.root == empty_node) return 0;
  const Universe whole = padded(store, universe, leaf_level + 2);
  const std::vector<RankedBits> sets = reachable(store, whole.level, whole.root);
  // Powers of the bases move cells by 32 columns or a row: leaves on the right have hashes of their own
  const std::int64_t offset = modulo(origin.x, 32);
  const RowHasher left_hasher(1, offset), right_hasher(1, offset + 16);
  std::vector<std::array<std::uint64_t, 2>> leaves;
  sets[0].for_each([&](NodeIndex leaf) {
    std::array<std::uint64_t, 2> both{};
    std::int64_t y = 0;
    for (const std::uint64_t row : store.leaf_rows(leaf)) {
      both[0] = hash_add(both[0], left_hasher(&row, y));
      both[1] = hash_add(both[1], right_hasher(&row, y++));
    }
    leaves.push_back(both);
  });
  std::uint64_t down = hash_power(hash_row_base, 16), along = hash_column_base;
  std::vector<std::uint64_t> hashes = sums<std::uint64_t>(
      store.level(leaf_level + 1), sets[1], sets[0], leaves,
      [&](const auto& nw, const auto& ne, const auto& sw, const auto& se) {
        return hash_add(hash_add(nw[0], ne[1]), hash_multiply(down, hash_add(sw[0], se[1])));
      });
  for (int level = leaf_level + 2; level <= whole.level; ++level) {
    down = hash_multiply(down, down);
    const auto at = static_cast<std::size_t>(level - leaf_level);
    hashes = sums<std::uint64_t>(store.level(level), sets[at], sets[at - 1], hashes,
                                 [&](std::uint64_t nw, std::uint64_t ne, std::uint64_t sw, std::uint64_t se) {
                                   const std::uint64_t upper = hash_add(nw, hash_multiply(along, ne));
                                   return hash_add(
                                       upper, hash_multiply(down, hash_add(sw, hash_multiply(along, se))));
                                 });
    if (level < whole.level) along = hash_multiply(along, along);
  }
  // `along` and `down` are moves by half the universe now
  const std::uint64_t to_centre = hash_multiply(hash_power(along, -1), hash_power(down, -1));
  const std::uint64_t to_origin = hash_multiply(hash_power(hash_column_base, (origin.x - offset) / 32),
                                                hash_power(hash_row_base, origin.y));
  return hash_multiply(hash_multiply(hashes.back(), to_centre), to_origin);
}

std::optional<Extent> extent_of(const NodeStore& store, const Universe& universe) {
  if (universe.root == empty_node) return {};
  constexpr auto nw = &NodeKey::nw, ne = &NodeKey::ne, sw = &NodeKey::sw, se = &NodeKey::se;
  const auto from = [&](SideSearch::Pair outer, SideSearch::Pair inner) {
    return SideSearch(store, outer, inner).search(universe);
  };
  const auto [left, left_leaves] = from({nw, sw}, {ne, se});
  const auto [right, right_leaves] = from({ne, se}, {nw, sw});
  const auto [top, top_leaves] = from({nw, ne}, {sw, se});
  const auto [bottom, bottom_leaves] = from({sw, se}, {nw, ne});
  const unsigned left_columns = columns_of(united(store, left_leaves));
  const unsigned right_columns = columns_of(united(store, right_leaves));
  const LeafRows top_rows = united(store, top_leaves), bottom_rows = united(store, bottom_leaves);
  const auto is_live = [](std::uint16_t row) { return row != 0; };
  const auto first_row = std::ranges::find_if(top_rows, is_live) - top_rows.begin();
  const auto last_row =
      std::find_if(bottom_rows.rbegin(), bottom_rows.rend(), is_live) - bottom_rows.rbegin();
  const BigInteger half = BigInteger::power_of_two(static_cast<std::size_t>(universe.level - 1));
  return Extent{left + BigInteger(__builtin_ctz(left_columns)) - half,
                top + BigInteger(static_cast<std::int64_t>(first_row)) - half,
                half - 1 - right - BigInteger(15 - (31 - __builtin_clz(right_columns))),
                half - 1 - bottom - BigInteger(static_cast<std::int64_t>(last_row))};
}

}  // namespace moorea
