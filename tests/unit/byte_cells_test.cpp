// SPDX-License-Identifier: MIT
// Bytes from and to packed cells, of every width around a word, with strides and with any value for live.
#include "moorea/byte_cells.h"

#include <gtest/gtest.h>

#include <vector>

#include "moorea/device_cells.h"
#include "moorea/error.h"
#include "moorea/grid.h"
#include "moorea/simulation.h"

namespace moorea {
namespace {

TEST(ByteCells, ArePackedAndUnpacked) {
  for (const std::int64_t width : {1, 7, 8, 63, 64, 65, 127, 128, 200}) {
    const Grid cells = Grid::random(width, 5, 0.4, static_cast<std::uint64_t>(width));
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(5 * width), 77);
    unpack_cells(cells, {bytes.data(), width, 1, width, 5});
    for (std::int64_t i = 0; i < 5 * width; ++i) {
      ASSERT_EQ(bytes[i], cells.alive(i % width, i / width)) << width << ", " << i;
      if (bytes[i] != 0) bytes[i] = static_cast<std::uint8_t>(1 + i % 255);
    }
    Grid again(width, 5);
    pack_cells({bytes.data(), width, 1, width, 5}, again.view());
    EXPECT_EQ(again, cells) << width;
  }
}

TEST(ByteCells, HaveStrides) {
  const Grid cells = Grid::random(130, 70, 0.5, 1);
  std::vector<std::uint8_t> bytes(130 * 70 * 3);
  // Transposed, from the last row on, three bytes a cell
  std::uint8_t* const first = bytes.data() + 69 * 3;
  unpack_cells(cells, {first, -3, 70 * 3, 130, 70});
  EXPECT_EQ(bytes[0], cells.alive(0, 69));
  EXPECT_EQ(bytes[(2 * 70 + 68) * 3], cells.alive(2, 1));
  Grid again(130, 70);
  pack_cells({first, -3, 70 * 3, 130, 70}, again.view());
  EXPECT_EQ(again, cells);
  const std::uint8_t one = 1;
  pack_cells({&one, 0, 0, 130, 70}, again.view());
  EXPECT_EQ(again.population(), 130u * 70u);
}

TEST(ByteCells, OfAnotherSizeAreRefused) {
  std::uint8_t bytes[12] = {};
  Grid cells(3, 4);
  EXPECT_THROW(pack_cells({bytes, 4, 1, 4, 3}, cells.view()), Error);
  EXPECT_THROW(unpack_cells(cells, {bytes, 4, 1, 4, 3}), Error);
}

TEST(ByteCells, AreStates) {
  for (const int states : {2, 3, 4, 5, 8, 23, 128, 256}) {
    for (const std::int64_t width : {1, 63, 64, 65, 200}) {
      const Cells cells = Cells::random(width, 6, 0.7, static_cast<std::uint64_t>(width), states);
      // Contiguous, and transposed with a byte between cells
      for (const std::ptrdiff_t column : {std::ptrdiff_t{1}, std::ptrdiff_t{12}}) {
        const std::ptrdiff_t row = column == 1 ? width : 2;
        std::vector<std::uint8_t> bytes(static_cast<std::size_t>(12 * width), 255);
        unpack_states(cells, {bytes.data(), row, column, width, 6});
        for (std::int64_t i = 0; i < 6 * width; ++i) {
          const std::int64_t x = i % width, y = i / width;
          ASSERT_EQ(bytes[static_cast<std::size_t>(y * row + x * column)], cells.state(x, y)) << states;
        }
        EXPECT_EQ(pack_states({bytes.data(), row, column, width, 6}, states), cells) << states;
      }
    }
  }
}

TEST(ByteCells, OfAStateThatIsTooLargeAreRefusedWithItsPlace) {
  std::vector<std::uint8_t> bytes(3 * 100);
  bytes[2 * 100 + 71] = 3;
  EXPECT_NO_THROW((void)pack_states({bytes.data(), 100, 1, 100, 3}, 4));
  try {
    (void)pack_states({bytes.data(), 100, 1, 100, 3}, 3);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the cell in row 2 and column 71 is in state 3: expected states 0 to 2");
  }
  EXPECT_THROW((void)pack_states({bytes.data(), 100, 1, 100, 3}, 257), Error);
  EXPECT_THROW(unpack_states(Cells(99, 3, 4), {bytes.data(), 100, 1, 100, 3}), Error);
}

TEST(DeviceCells, AreThoseOfACudaDevice) {
  Options cpu;
  cpu.device = "cpu";
  const Simulation simulation(Rule(), Topology::torus, Grid(5, 5), cpu);
  const KeepsCudaDevice keeps;
  try {
    (void)copy_byte_cells(simulation, {0, 0, 5, 5});
    FAIL() << "cells of a GPU";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unavailable);
    EXPECT_NE(std::string(error.what()).find("they are on cpu"), std::string::npos) << error.what();
  }
  EXPECT_THROW((void)copy_packed_cells(simulation), Error);
}

}  // namespace
}  // namespace moorea
