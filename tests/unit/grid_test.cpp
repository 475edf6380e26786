// SPDX-License-Identifier: MIT
#include "moorea/grid.h"

#include <gtest/gtest.h>

#include "model/hash.h"
#include "model/memory.h"
#include "model/philox.h"
#include "moorea/error.h"

namespace moorea {
namespace {

// Known answers published by the authors of the generator (Random123, file kat_vectors, philox4x32 10).
TEST(Philox, PublishedVectors) {
  using Four = std::array<std::uint32_t, 4>;
  EXPECT_EQ(philox4x32_10({0, 0, 0, 0}, {0, 0}), (Four{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32_10({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
            (Four{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32_10({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Four{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

// Noise of density 1/2 is the generator's first digit unchanged: counter (column / 128, row, 0, 0), key =
// seed.
TEST(RandomGrid, HalfIsOneBitOfTheGenerator) {
  const std::uint64_t seed = 0x0123456789abcdef;
  const Grid grid = Grid::random(300, 5, 0.5, seed);
  for (std::int64_t y = 0; y < 5; ++y) {
    for (std::int64_t x = 0; x < 300; ++x) {
      const auto bits =
          philox4x32_10({static_cast<std::uint32_t>(x / 128), static_cast<std::uint32_t>(y), 0, 0},
                        {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
      ASSERT_EQ(grid.alive(x, y), bits[x % 128 / 32] >> x % 32 & 1) << x << " " << y;
    }
  }
}

// Any density: the 32 digits of a cell, complemented, are a number that is compared with density * 2^32.
TEST(RandomGrid, AnyDensityComparesAllDigits) {
  const double density = 0.3;
  const Grid grid = Grid::random(200, 3, density, 11);
  for (std::int64_t y = 0; y < 3; ++y) {
    for (std::int64_t x = 0; x < 200; ++x) {
      std::uint64_t number = 0;
      for (std::uint32_t digit = 0; digit < 32; ++digit) {
        const auto bits = philox4x32_10(
            {static_cast<std::uint32_t>(x / 128), static_cast<std::uint32_t>(y), 0, digit}, {11, 0});
        number = number * 2 + (~bits[x % 128 / 32] >> x % 32 & 1);
      }
      ASSERT_EQ(grid.alive(x, y), static_cast<double>(number) < density * 0x1p32) << x << " " << y;
    }
  }
}

TEST(RandomGrid, IsAFunctionOfTheCellAlone) {
  const Grid large = Grid::random(500, 80, 0.35, 7), small = Grid::random(130, 41, 0.35, 7);
  EXPECT_EQ(large.crop({0, 0, 130, 41}), small);
  EXPECT_NE(Grid::random(500, 80, 0.35, 8), large);
}

TEST(RandomGrid, HasItsDensity) {
  for (const double density : {0.0, 0.001, 0.25, 0.3, 0.5, 0.9, 1.0}) {
    const double part = static_cast<double>(Grid::random(1000, 1000, density, 1).population()) / 1e6;
    EXPECT_NEAR(part, density, 5 * 0.0005);  // five standard deviations at one half
  }
  EXPECT_THROW(Grid::random(10, 10, -0.1, 0), Error);
  EXPECT_THROW(Grid::random(10, 10, 1.5, 0), Error);
  EXPECT_THROW(Grid::random(10, 10, 0.0 / 0.0, 0), Error);
}

// The formula of grid.h, cell by cell.
std::uint64_t hash_by_definition(const Grid& grid, std::int64_t x0, std::int64_t y0) {
  std::uint64_t sum = 0;
  for (std::int64_t y = 0; y < grid.height(); ++y) {
    for (std::int64_t x = 0; x < grid.width(); ++x) {
      if (!grid.alive(x, y)) continue;
      const std::int64_t column = x0 + x;
      const std::uint64_t bit = std::uint64_t{1} << (column & 31);
      const std::uint64_t cell = hash_multiply(hash_multiply(bit, hash_power(hash_column_base, column >> 5)),
                                               hash_power(hash_row_base, y0 + y));
      sum = hash_add(sum, cell);
    }
  }
  return sum;
}

TEST(Hash, FollowsItsDefinition) {
  const Grid grid = Grid::random(150, 20, 0.3, 2);
  for (const std::int64_t x0 : {0, 64, -64, 1, 31, 33, -1, -1000, 1 << 20}) {
    for (const std::int64_t y0 : {0, 5, -7})
      EXPECT_EQ(grid.hash({x0, y0}), hash_by_definition(grid, x0, y0)) << x0 << " " << y0;
  }
}

// Pinned: a change of these values would invalidate every stored hash.
TEST(Hash, PinnedValues) {
  Grid one(1, 1);
  one.set(0, 0);
  EXPECT_EQ(Grid(10, 10).hash(), 0u);
  EXPECT_EQ(one.hash(), 1u);
  EXPECT_EQ(one.hash({5, 0}), 32u);
  EXPECT_EQ(one.hash({32, 0}), 0x13198a2e0370734au);
  EXPECT_EQ(one.hash({0, 1}), 0x0a4093822299f31eu);
  EXPECT_EQ(Grid::random(1000, 1000, 0.5, 7).hash(), 0x058f0a5bff2639a8u);
}

TEST(Hash, PartsAddUp) {
  const Grid grid = Grid::random(200, 90, 0.5, 9);
  std::uint64_t sum = 0;
  for (const Box& part : {Box{0, 0, 77, 33}, Box{77, 0, 123, 33}, Box{0, 33, 200, 57}}) {
    sum = hash_add(sum, grid.crop(part).hash(part.position()));
  }
  EXPECT_EQ(sum, grid.hash());
}

TEST(Hash, BasesArePrimitiveRoots) {
  // p - 1 = 2 * 3^2 * 5^2 * 7 * 11 * 13 * 31 * 41 * 61 * 151 * 331 * 1321
  for (const std::uint64_t base : {hash_column_base, hash_row_base}) {
    EXPECT_EQ(hash_power(base, static_cast<std::int64_t>(hash_prime - 1)), 1u);
    for (const std::uint64_t factor : {2, 3, 5, 7, 11, 13, 31, 41, 61, 151, 331, 1321}) {
      EXPECT_NE(hash_power(base, static_cast<std::int64_t>((hash_prime - 1) / factor)), 1u) << factor;
    }
    EXPECT_EQ(hash_multiply(hash_power(base, -12345), hash_power(base, 12345)), 1u);
  }
}

TEST(Grid, PacksSixtyFourCellsAWord) {
  EXPECT_EQ(Grid(65536, 1).words_per_row(), 1024);
  EXPECT_EQ(grid_bytes(65536, 65536), 512.0 * 1024 * 1024 + 65536.0 * 63 / 8);
  EXPECT_EQ(Grid(65, 2).words_per_row(), 2);
}

TEST(Grid, RefusesWhatCannotFit) {
  try {
    Grid(std::int64_t{1} << 40, std::int64_t{1} << 40);
    FAIL() << "2^80 cells were given out";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("needs"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("iB"), std::string::npos);  // the figure
  }
  EXPECT_THROW(Grid(-1, 5), Error);
}

TEST(Grid, CropAndPasteAreInverse) {
  const Grid grid = Grid::random(190, 50, 0.5, 4);
  for (const Box& box : {Box{0, 0, 190, 50}, Box{1, 2, 64, 10}, Box{63, 0, 66, 50}, Box{-70, -3, 300, 60},
                         Box{189, 49, 1, 1}, Box{500, 0, 10, 10}}) {
    const Grid part = grid.crop(box);
    for (std::int64_t y = 0; y < box.height; ++y) {
      for (std::int64_t x = 0; x < box.width; ++x) {
        const std::int64_t from_x = box.x + x, from_y = box.y + y;
        const bool inside = from_x >= 0 && from_x < 190 && from_y >= 0 && from_y < 50;
        ASSERT_EQ(part.alive(x, y), inside && grid.alive(from_x, from_y));
      }
    }
    Grid copy = grid;
    copy.paste(part, box.position());
    EXPECT_EQ(copy, grid);
  }
}

TEST(Grid, BoundingBox) {
  Grid grid(200, 100);
  EXPECT_FALSE(grid.bounding_box());
  grid.set(130, 7);
  EXPECT_EQ(grid.bounding_box(), (Box{130, 7, 1, 1}));
  grid.set(3, 90);
  EXPECT_EQ(grid.bounding_box(), (Box{3, 7, 128, 84}));
  grid.set(3, 90, false);
  EXPECT_EQ(grid.population(), 1u);
}

}  // namespace
}  // namespace moorea
