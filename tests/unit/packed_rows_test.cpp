// SPDX-License-Identifier: MIT
#include "boards/packed_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "model/bits.h"

namespace moorea {
namespace {

// A grid at some position in a world, packed and unpacked in portions of rows, against crop() and paste().
TEST(PackedRows, AreTheWorldsCells) {
  const Grid cells = Grid::random(150, 40, 0.5, 3);
  for (const std::int64_t width : {1, 63, 64, 65, 130, 300}) {
    for (const auto& [x, y] : std::vector<std::pair<std::int64_t, std::int64_t>>{
             {0, 0}, {5, 7}, {64, 0}, {-64, -3}, {-70, 50}, {129, -39}, {400, 0}, {-200, 0}, {0, 90}}) {
      constexpr std::int64_t height = 61, rows = 16;
      Grid world(width, height), read(200, 90);
      world.paste(cells, {x, y});
      const Box box = {-20, -9, read.width(), read.height()};
      Grid read_from_corner(width, height);
      for (std::int64_t top = 0; top < height; top += rows) {
        const std::int64_t now = std::min(rows, height - top);
        std::vector<std::uint64_t> packed(static_cast<std::size_t>(now * words_for(width)),
                                          ~std::uint64_t{0});
        pack_rows(cells, x, y, width, top, now, packed.data());
        for (std::int64_t i = 0; i < now; ++i) {
          EXPECT_TRUE(std::equal(world.row(top + i), world.row(top + i) + words_for(width),
                                 packed.data() + i * words_for(width)))
              << width << " wide, row " << top + i << ", at " << x << ", " << y;
        }
        unpack_rows(packed.data(), width, top, now, box, read.view());
        unpack_rows(packed.data(), width, top, now, {0, 0, width, height}, read_from_corner.view());
      }
      EXPECT_EQ(read, world.crop(box));
      EXPECT_EQ(read_from_corner, world);
    }
  }
}

// Enough words for several threads.
TEST(PackedRows, OnSeveralThreads) {
  const Grid cells = Grid::random(6400, 2000, 0.5, 4);
  std::vector<std::uint64_t> packed(static_cast<std::size_t>(2000 * words_for(6400)));
  pack_rows(cells, 0, 0, 6400, 0, 2000, packed.data());
  Grid read(6400, 2000);
  unpack_rows(packed.data(), 6400, 0, 2000, {0, 0, 6400, 2000}, read.view());
  EXPECT_EQ(read, cells);
}

}  // namespace
}  // namespace moorea
