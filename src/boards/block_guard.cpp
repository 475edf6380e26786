// SPDX-License-Identifier: MIT
#include "boards/block_guard.h"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

#include "model/bits.h"

namespace moorea {
namespace {

using kernels::Block;
using kernels::Layout;

// Around the block, what is examined. Beyond these rows a kernel may write into any memory, as it may without
// a guard.
constexpr int rows_around = 16;
constexpr std::int64_t bytes_around = 128;

// No cell of the layout bytes, and improbable as eight of bits.
constexpr std::byte mark{0xA5};

// Rows top to bottom - 1, and of each the bytes left to right - 1, from the first cell of the block's first
// row and of the world's row on.
struct Window {
  std::int64_t left = 0, right = 0, top = 0, bottom = 0;
};

Window window_of(const Block& block, const Field& to) {
  if (to.layout == Layout::bits)
    return {block.x / 8, block.x / 8 + words_for(block.width) * 8, 0, block.height};
  return {block.x, block.x + block.width, 0, block.height};
}

// The window and what is examined around it, as far as rows go.
Window around(const Window& window, const Field& to) {
  return {std::max(window.left - bytes_around, -field_left_margin),
          std::min<std::int64_t>(window.right + bytes_around, to.pitch - field_left_margin),
          window.top - rows_around, window.bottom + rows_around};
}

// The first byte of a row that is not marked, from `left` to `right` - 1; `right` if there is none.
std::int64_t first_written(const std::byte* row, std::int64_t left, std::int64_t right) {
  return std::find_if(row + left, row + right, [](std::byte each) { return each != mark; }) - row;
}

std::optional<Position> find_written(const Field& field, const Window& block, const Window& examined) {
  const auto cell = [&](std::int64_t byte, std::int64_t y) {
    return Position{field.layout == Layout::bits ? byte * 8 : byte, y};
  };
  for (std::int64_t y = examined.top; y < examined.bottom; ++y) {
    const bool passes_block = y >= block.top && y < block.bottom;
    const std::int64_t end = passes_block ? block.left : examined.right;
    if (const std::int64_t at = first_written(field.row(y), examined.left, end); at < end) return cell(at, y);
    if (!passes_block) continue;
    const std::int64_t at = first_written(field.row(y), block.right, examined.right);
    if (at < examined.right) return cell(at, y);
  }
  return std::nullopt;
}

}  // namespace

std::unique_ptr<FieldBuffer> BlockGuard::take_buffer(const Field& like, std::int64_t rows) {
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(free_, [&](const std::unique_ptr<FieldBuffer>& each) {
      return each->field().layout != like.layout || each->field().width != like.width;
    });
    const auto found =
        std::ranges::find_if(free_, [&](const auto& each) { return each->field().height >= rows; });
    if (found != free_.end()) {
      std::unique_ptr<FieldBuffer> buffer = std::move(*found);
      free_.erase(found);
      return buffer;
    }
    free_.clear();  // too low
  }
  return std::make_unique<FieldBuffer>(like.layout, like.width, rows, rows_around);
}

void BlockGuard::run(kernels::Step step, const Block& block, const Field& to) {
  std::unique_ptr<FieldBuffer> buffer = take_buffer(to, block.height);
  const Field& own = buffer->field();
  const Window written = window_of(block, to), examined = around(written, to);
  for (std::int64_t y = examined.top; y < examined.bottom; ++y)
    std::fill(own.row(y) + examined.left, own.row(y) + examined.right, mark);
  const auto size = static_cast<std::size_t>(written.right - written.left);
  const auto row_of_world = [&](std::int64_t y) { return to.row(block.y + y) + written.left; };
  // A kernel that leaves cells out leaves what the world had there
  for (std::int64_t y = 0; y < block.height; ++y)
    std::memcpy(own.row(y) + written.left, row_of_world(y), size);
  Block guarded = block;
  guarded.to = own.row(0) + written.left;
  step(guarded);
  for (std::int64_t y = 0; y < block.height; ++y)
    std::memcpy(row_of_world(y), own.row(y) + written.left, size);
  std::optional<Position> cell = find_written(own, written, examined);
  if (cell) cell->y += block.y;

  const std::lock_guard lock(mutex_);
  free_.push_back(std::move(buffer));
  if (!cell) return;
  const Box box{block.x, block.y, block.width, block.height};
  if (!first_ || std::tie(box.y, box.x) < std::tie(first_->block.y, first_->block.x))
    first_ = StrayWrite{0, *cell, box};
}

std::optional<StrayWrite> BlockGuard::take() { return std::exchange(first_, std::nullopt); }

}  // namespace moorea
