// SPDX-License-Identifier: MIT
#include "boards/packed_rows.h"

#include <algorithm>
#include <cstring>

#include "devices/cpu/threads.h"
#include "model/bits.h"

namespace moorea {
namespace {

constexpr std::int64_t words_a_packing_thread = 1 << 15;  // fewer take less time than starting a thread

// Calls per_row(y) for the rows y to end - 1 of so many words.
template <class PerRow>
void for_each_row(std::int64_t y, std::int64_t end, std::int64_t words, const PerRow& per_row) {
  const std::int64_t rows = std::max<std::int64_t>(0, end - y);
  const auto threads = static_cast<int>(
      std::clamp<std::int64_t>(rows * words / words_a_packing_thread, 1, std::int64_t{usable_threads()}));
  team(threads, [&](int thread, int count) {
    for (std::int64_t row = y + rows * thread / count; row < y + rows * (thread + 1) / count; ++row)
      per_row(row);
  });
}

}  // namespace

void pack_rows(const Grid& cells, std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t top,
               std::int64_t rows, std::uint64_t* to) {
  const std::int64_t words = words_for(width);
  // Rows that may have cells of the grid
  const std::int64_t first = std::clamp<std::int64_t>(x >> 6, 0, words),
                     last = std::clamp((x + cells.width() + 63) >> 6, first, words);
  for_each_row(top, top + rows, words, [&](std::int64_t row) {
    std::uint64_t* const packed = to + (row - top) * words;
    const bool inside = row >= y && row < y + cells.height() && first < last;
    const std::int64_t from = inside ? first : words, end = inside ? last : words;
    std::memset(packed, 0, static_cast<std::size_t>(from) * 8);
    std::memset(packed + end, 0, static_cast<std::size_t>(words - end) * 8);
    if (!inside) return;
    if (x == 0) {
      std::memcpy(packed, cells.row(row - y), static_cast<std::size_t>(end) * 8);
    } else {
      for (std::int64_t j = from; j < end; ++j)
        packed[j] = cells_at(cells.row(row - y), cells.words_per_row(), 64 * j - x);
    }
    packed[words - 1] &= tail_mask(width);
  });
}

void unpack_rows(const std::uint64_t* from, std::int64_t width, std::int64_t top, std::int64_t rows,
                 const Box& box, const GridView& view) {
  const std::int64_t words = words_for(width), own = words_for(view.width);
  if (own == 0) return;
  for_each_row(std::max(top, box.y), std::min(top + rows, box.y + box.height), own, [&](std::int64_t row) {
    const std::uint64_t* const packed = from + (row - top) * words;
    std::uint64_t* const to = view.row(row - box.y).data();
    if (box.x == 0 && own <= words) {
      std::memcpy(to, packed, static_cast<std::size_t>(own) * 8);
    } else {
      for (std::int64_t j = 0; j < own; ++j) to[j] = cells_at(packed, words, box.x + 64 * j);
    }
    to[own - 1] &= tail_mask(box.width);
  });
}

void clear_rows_outside(const Box& world, const Box& box, const GridView& to) {
  for (std::int64_t y = box.y; y < box.bottom(); ++y) {
    if (y < world.y || y >= world.bottom() || intersect(world, box).empty())
      std::ranges::fill(to.row(y - box.y), 0);
  }
}

}  // namespace moorea
