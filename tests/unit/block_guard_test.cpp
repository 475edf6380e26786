// SPDX-License-Identifier: MIT
#include "boards/block_guard.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "moorea/box.h"

namespace {

using moorea::BlockGuard;
using moorea::Box;
using moorea::Field;
using moorea::FieldBuffer;
using moorea::Position;
using moorea::StrayWrite;
using moorea::kernels::Block;
using moorea::kernels::Layout;

constexpr int depth = 2;

Block block_of(const Field& to, const Box& box) {
  Block block{};
  block.to = to.row(box.y) + (to.layout == Layout::bits ? box.x / 8 : box.x);
  block.pitch = to.pitch;
  block.width = box.width;
  block.height = box.height;
  block.x = box.x;
  block.y = box.y;
  block.steps = 1;
  return block;
}

// Cells that `written` writes beside its block, to the right and below, negative: left and above.
struct Beside {
  std::int64_t columns = 0, rows = 0;
};
Beside beside;

void write_all(const Block& block) {
  for (std::int64_t y = 0; y < block.height; ++y)
    std::fill_n(moorea::kernels::row_to<std::uint8_t>(block, y), block.width, std::uint8_t{1});
}

void write_beside(const Block& block) {
  write_all(block);
  const std::int64_t x = beside.columns < 0   ? beside.columns
                         : beside.columns > 0 ? block.width - 1 + beside.columns
                                              : 0;
  const std::int64_t y = beside.rows < 0 ? beside.rows : beside.rows > 0 ? block.height - 1 + beside.rows : 0;
  moorea::kernels::row_to<std::uint8_t>(block, y)[x] = 1;
}

void write_words(const Block& block) {
  for (std::int64_t y = 0; y < block.height; ++y)
    std::fill_n(moorea::kernels::row_to<std::uint64_t>(block, y), (block.width + 63) / 64, ~std::uint64_t{0});
}

void write_word_more(const Block& block) {
  write_words(block);
  moorea::kernels::row_to<std::uint64_t>(block, 0)[(block.width + 63) / 64] = 0;
}

TEST(BlockGuard, CopiesTheBlockAlone) {
  const FieldBuffer to(Layout::bytes, 100, 40, depth);
  BlockGuard guard;
  const Box box{30, 10, 20, 8};
  beside = {3, 0};
  for (const auto step : {write_all, write_beside}) guard.run(step, block_of(to.field(), box), to.field());
  for (std::int64_t y = -depth; y < 40 + depth; ++y)
    for (std::int64_t x = 0; x < 100; ++x)
      ASSERT_EQ(std::to_integer<int>(to.field().row(y)[x]), box.contains(Position{x, y}) ? 1 : 0)
          << x << ", " << y;
}

TEST(BlockGuard, FindsCellsOutside) {
  const FieldBuffer to(Layout::bytes, 300, 90, depth);
  const Field& field = to.field();
  const Box box{140, 30, 20, 8};
  for (const std::int64_t columns : {0, 1, 2, 128, -1, -128}) {
    for (const std::int64_t rows : {0, 1, 16, -1, -16}) {
      BlockGuard guard;
      beside = {columns, rows};
      guard.run(write_beside, block_of(field, box), field);
      const std::optional<StrayWrite> stray = guard.take();
      ASSERT_EQ(stray.has_value(), columns != 0 || rows != 0) << columns << ", " << rows;
      EXPECT_FALSE(guard.take());
      if (!stray) continue;
      EXPECT_EQ(stray->block, box);
      const auto at = [](std::int64_t first, std::int64_t size, std::int64_t by) {
        return by > 0 ? first + size - 1 + by : first + by;
      };
      EXPECT_EQ(stray->cell, (Position{at(box.x, box.width, columns), at(box.y, box.height, rows)}));
    }
  }
}

// At the world's edges the halo is examined, and no memory beyond it.
TEST(BlockGuard, FindsCellsInTheHalo) {
  const FieldBuffer to(Layout::bytes, 50, 20, depth);
  for (const Beside where :
       {Beside{1, 0}, Beside{-1, 0}, Beside{-64, -depth}, Beside{0, depth}, Beside{0, -depth}}) {
    BlockGuard guard;
    beside = where;
    guard.run(write_beside, block_of(to.field(), {0, 0, 50, 20}), to.field());
    EXPECT_TRUE(guard.take()) << where.columns << ", " << where.rows;
  }
}

// The bits after the last cell of a row are anything.
TEST(BlockGuard, KnowsWordsOfBits) {
  const FieldBuffer to(Layout::bits, 200, 20, depth);
  BlockGuard guard;
  guard.run(write_words, block_of(to.field(), {64, 5, 136, 10}), to.field());
  EXPECT_FALSE(guard.take());
  EXPECT_EQ(to.field().words(5)[1], ~std::uint64_t{0});
  guard.run(write_word_more, block_of(to.field(), {64, 5, 64, 10}), to.field());
  const std::optional<StrayWrite> stray = guard.take();
  ASSERT_TRUE(stray);
  EXPECT_EQ(stray->cell, (Position{128, 5}));
}

// The first block, not the first call.
TEST(BlockGuard, NamesTheFirstBlock) {
  const FieldBuffer to(Layout::bytes, 100, 60, depth);
  BlockGuard guard;
  beside = {1, 0};
  for (const Box& box : {Box{50, 30, 10, 10}, Box{50, 10, 10, 10}, Box{20, 10, 10, 10}, Box{20, 30, 10, 10}})
    guard.run(write_beside, block_of(to.field(), box), to.field());
  EXPECT_EQ(guard.take().value().block, (Box{20, 10, 10, 10}));
}

// Unbounded planes are replaced by larger ones.
TEST(BlockGuard, FollowsTheSizeOfFields) {
  BlockGuard guard;
  beside = {0, 1};
  for (const std::int64_t size : {10, 500, 30}) {
    const FieldBuffer to(Layout::bytes, size, size, depth);
    guard.run(write_beside, block_of(to.field(), {0, 0, size, size}), to.field());
    EXPECT_EQ(guard.take().value().cell, (Position{0, size}));
  }
}

}  // namespace
