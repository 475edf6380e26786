// SPDX-License-Identifier: MIT
// Nodes of quadtrees: each square is stored once, whatever its hash, and universes hold the cells of grids.
#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>

#include "moorea/big_integer.h"
#include "moorea/error.h"
#include "moorea/grid.h"
#include "trees/node_store.h"
#include "trees/page_buffer.h"
#include "trees/universe.h"

namespace moorea {
namespace {

TEST(BigInteger, HasTheDigitsOfPowersOfTwo) {
  EXPECT_EQ(BigInteger::power_of_two(60).str(), "1152921504606846976");
  EXPECT_EQ(BigInteger::power_of_two(128).str(), "340282366920938463463374607431768211456");
  EXPECT_EQ(BigInteger::parse("2^200").str(),
            "1606938044258990275541962092341162602522202993782792835301376");
  EXPECT_EQ(BigInteger::parse("10^18"), BigInteger(std::int64_t{1'000'000'000'000'000'000}));
  EXPECT_EQ(BigInteger::parse("12e17"), BigInteger(std::int64_t{1'200'000'000'000'000'000}));
  EXPECT_EQ(BigInteger::parse("0e99999").str() + BigInteger::parse("5^0").str() +
                BigInteger::parse("1^99999").str(),
            "011");
  EXPECT_EQ(BigInteger::parse("-0").str(), "0");
  EXPECT_EQ((BigInteger(5) - BigInteger::power_of_two(64)).str(), "-18446744073709551611");
  const std::string digits = "31415926535897932384626433832795028841971693993751058209749445923";
  EXPECT_EQ(BigInteger::parse(digits).str(), digits);
  EXPECT_EQ(BigInteger::parse(digits).low_bits(70) + (BigInteger(3) << 70),
            BigInteger::parse("2^71") + BigInteger::parse("2^70") + BigInteger::parse(digits).low_bits(70));
  EXPECT_EQ(BigInteger::parse(digits) >> 70 << 70,
            BigInteger::parse(digits) - BigInteger::parse(digits).low_bits(70));
  EXPECT_EQ((BigInteger::parse(digits) << 133) >> 133, BigInteger::parse(digits));
  EXPECT_EQ(BigInteger(-3).as_signed(), -3);
  EXPECT_EQ(BigInteger(-3).as_unsigned(), std::nullopt);
  EXPECT_LT(BigInteger::parse("-2^70"), BigInteger(-1));
  EXPECT_EQ(BigInteger::parse("2^500").approximate(), 0x1p500);
  EXPECT_EQ(BigInteger::parse("-2^4000").approximate(), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(BigInteger().approximate(), 0);
  EXPECT_EQ((-BigInteger((std::int64_t{1} << 53) + 1)).approximate(), -0x1p53);
  // Between two doubles: half of their distance, and more by one far below
  const BigInteger half = BigInteger::power_of_two(200) + BigInteger::power_of_two(147);
  EXPECT_EQ(half.approximate(), 0x1p200);
  EXPECT_EQ((half + 1).approximate(), 0x1p200 + 0x1p148);
  for (const char* text :
       {"", "-", "12a", "2^", "^3", "1.5", "2^-1", "1e", "e5", "1e-3", "0^", "2^70000", "+1"})
    EXPECT_THROW(BigInteger::parse(text), Error) << text;
}

TEST(PageBuffer, KeepsItsContentsAsItGrows) {
  PageBuffer buffer;
  for (std::size_t bytes = 1000; bytes < (std::size_t{20} << 20); bytes = bytes * 5 / 2) {
    const std::size_t before = buffer.size();
    ASSERT_TRUE(buffer.grow(bytes, true));
    for (std::size_t i = 0; i < before; i += 4096) ASSERT_EQ(buffer.begin()[i], std::byte{7});
    for (std::size_t i = before; i < buffer.size(); i += 4096) {
      ASSERT_EQ(buffer.begin()[i], std::byte{0});
      buffer.begin()[i] = std::byte{7};
    }
  }
  buffer.release_beyond(8192);
  EXPECT_EQ(buffer.begin()[4096], std::byte{7});
  EXPECT_EQ(buffer.begin()[8192], std::byte{0});
}

// With few bits of the hash all nodes of a level are in a few buckets, and only their keys tell them apart.
TEST(NodeStore, StoresEachSquareOnceWhateverItsHash) {
  for (const std::uint64_t mask : {~std::uint64_t{0}, std::uint64_t{1} << 60 | 1, std::uint64_t{0}}) {
    NodeStore store({.hash_mask = mask});
    std::vector<NodeIndex> leaves = {empty_node}, nodes;
    const int count = mask == ~std::uint64_t{0} ? 100 : 20;
    for (int i = 1; i < count; ++i) {
      LeafRows rows{};
      rows[static_cast<std::size_t>(i % 16)] = static_cast<std::uint16_t>(i);
      leaves.push_back(store.leaf(rows));
      EXPECT_EQ(store.leaf_rows(leaves.back()), rows);
    }
    for (const NodeIndex a : leaves)
      for (const NodeIndex b : leaves) nodes.push_back(store.join(5, {a, b, b, 0}));
    EXPECT_EQ(store.nodes(), leaves.size() + nodes.size() - 2);
    std::size_t next = 0;
    for (const NodeIndex a : leaves) {
      for (const NodeIndex b : leaves) {
        ASSERT_EQ(store.join(5, {a, b, b, 0}), nodes[next]);
        ASSERT_EQ(store.children(5, nodes[next++]), (NodeKey{a, b, b, 0}));
      }
    }
    EXPECT_EQ(store.nodes(), leaves.size() + nodes.size() - 2);
  }
}

TEST(Universe, HoldsTheCellsOfAGrid) {
  std::mt19937 random(3);
  const auto number = [&](std::int64_t from, std::int64_t to) {
    return std::uniform_int_distribution<std::int64_t>(from, to)(random);
  };
  for (int i = 0; i < 60; ++i) {
    NodeStore store;
    const Grid cells = Grid::random(number(1, 150), number(1, 150), 0.02, static_cast<std::uint64_t>(i));
    const std::int64_t reach = i % 3 == 0 ? 40 : i % 3 == 1 ? 100'000 : max_coordinate - 200;
    const Position at = {number(-reach, reach), number(-reach, reach)};
    Universe universe = with_cells(store, {}, cells, at);
    if (i % 2 == 0) universe = padded(store, universe, static_cast<int>(number(5, 100)));
    const Box box = {at.x - number(0, 90), at.y - number(0, 90), number(1, 300), number(1, 300)};
    Grid seen(box.width, box.height), expected(box.width, box.height);
    expected.paste(cells, at - box.position());
    read_cells(store, universe, box, seen.view());
    ASSERT_EQ(seen, expected);
    EXPECT_EQ(population(store, universe.level, universe.root), BigInteger(cells.population()));
    const std::optional<Box> live = cells.bounding_box();
    const std::optional<Extent> extent = extent_of(store, universe);
    ASSERT_EQ(extent.has_value(), live.has_value());
    if (!live) continue;
    EXPECT_EQ(extent->left.as_signed(), at.x + live->x);
    EXPECT_EQ(extent->top.as_signed(), at.y + live->y);
    EXPECT_EQ(extent->right.as_signed(), at.x + live->right() - 1);
    EXPECT_EQ(extent->bottom.as_signed(), at.y + live->bottom() - 1);
    const Universe small = trimmed(store, universe);
    EXPECT_EQ(padded(store, small, universe.level).root, universe.root);
    EXPECT_EQ(trimmed(store, padded(store, small, 200)).root, small.root);
    const Universe cleared = with_cells(store, universe, Grid(box.width, box.height), box.position());
    Grid rest = cells;
    rest.paste(Grid(box.width, box.height), box.position() - at);
    EXPECT_EQ(population(store, cleared.level, cleared.root), BigInteger(rest.population()));
  }
}

}  // namespace
}  // namespace moorea
