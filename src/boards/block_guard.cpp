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

// Around the block, what is examined: beyond, a kernel writes unseen, but harms nothing.
constexpr std::int64_t rows_around = 16;
constexpr std::int64_t bytes_around = 128;

// No cell of the layout bytes, and improbable as eight of bits.
constexpr std::byte mark{0xA5};

// Rows top to bottom - 1 of a field, and of each the bytes left to right - 1, from its first cell on.
struct Window {
  std::int64_t left = 0, right = 0, top = 0, bottom = 0;
};

std::int64_t bytes_of(const Field& field, std::int64_t cells) {
  return field.layout == Layout::bits ? words_for(cells) * 8 : cells;
}

Window window_of(const Block& block, const Field& field) {
  const std::int64_t left = field.layout == Layout::bits ? block.x / 8 : block.x;
  return {left, left + bytes_of(field, block.width), block.y, block.y + block.height};
}

// The window and what is examined around it, as far as the memory of the field goes.
Window around(const Window& window, const Field& field, int depth) {
  return {std::max(window.left - bytes_around, -field_left_margin),
          std::min<std::int64_t>(window.right + bytes_around, field.pitch - field_left_margin),
          std::max<std::int64_t>(window.top - rows_around, -depth),
          std::min<std::int64_t>(window.bottom + rows_around, field.height + depth)};
}

void copy(const Field& from, const Field& to, const Window& window) {
  for (std::int64_t y = window.top; y < window.bottom; ++y)
    std::memcpy(to.row(y) + window.left, from.row(y) + window.left,
                static_cast<std::size_t>(window.right - window.left));
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

std::unique_ptr<FieldBuffer> BlockGuard::take_buffer(const Field& like, int depth) {
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(free_, [&](const std::unique_ptr<FieldBuffer>& each) {
      const Field& field = each->field();
      return each->depth() != depth || std::tie(field.layout, field.width, field.height) !=
                                           std::tie(like.layout, like.width, like.height);
    });
    if (!free_.empty()) {
      std::unique_ptr<FieldBuffer> buffer = std::move(free_.back());
      free_.pop_back();
      return buffer;
    }
  }
  return std::make_unique<FieldBuffer>(like.layout, like.width, like.height, depth);
}

void BlockGuard::run(kernels::Step step, const Block& block, const Field& to, int depth) {
  std::unique_ptr<FieldBuffer> buffer = take_buffer(to, depth);
  const Field& own = buffer->field();
  const Window written = window_of(block, to), examined = around(written, to, depth);
  for (std::int64_t y = examined.top; y < examined.bottom; ++y)
    std::fill(own.row(y) + examined.left, own.row(y) + examined.right, mark);
  // A kernel that leaves cells out leaves what the world had there
  copy(to, own, written);
  Block guarded = block;
  guarded.to = own.row(written.top) + written.left;
  step(guarded);
  copy(own, to, written);
  const std::optional<Position> cell = find_written(own, written, examined);

  const std::lock_guard lock(mutex_);
  free_.push_back(std::move(buffer));
  if (!cell) return;
  const Box box{block.x, block.y, block.width, block.height};
  if (!first_ || std::tie(box.y, box.x) < std::tie(first_->block.y, first_->block.x))
    first_ = StrayWrite{0, *cell, box};
}

std::optional<StrayWrite> BlockGuard::take() { return std::exchange(first_, std::nullopt); }

}  // namespace moorea
