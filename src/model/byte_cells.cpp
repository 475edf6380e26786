// SPDX-License-Identifier: MIT
#include "moorea/byte_cells.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "model/byte_words.h"
#include "moorea/error.h"

namespace moorea {
namespace {

std::uint64_t packed_word(const std::uint8_t* cells, std::int64_t number, std::ptrdiff_t stride) {
  std::uint64_t word = 0;
  if (number == 64 && stride == 1) {
    for (int i = 0; i < 8; ++i) {
      std::uint64_t bytes;
      std::memcpy(&bytes, cells + 8 * i, sizeof bytes);
      word |= gathered(ones_of(bytes)) << 8 * i;
    }
    return word;
  }
  for (std::int64_t i = 0; i < number; ++i) word |= static_cast<std::uint64_t>(cells[i * stride] != 0) << i;
  return word;
}

void unpack_word(std::uint64_t word, std::uint8_t* cells, std::int64_t number, std::ptrdiff_t stride) {
  if (number == 64 && stride == 1) {
    for (int i = 0; i < 8; ++i) {
      const std::uint64_t bytes = spread(word >> 8 * i & 0xFF);
      std::memcpy(cells + 8 * i, &bytes, sizeof bytes);
    }
    return;
  }
  for (std::int64_t i = 0; i < number; ++i) cells[i * stride] = word >> i & 1;
}

// Throws Error (usage) for a state of row y that cells of so many states have not.
void require_states(const ConstByteView& from, std::int64_t y, int states) {
  const std::uint8_t* const cells = from.cells + y * from.row_stride;
  int largest = 0;
  for (std::int64_t x = 0; x < from.width; ++x)
    largest = std::max<int>(largest, cells[x * from.column_stride]);
  if (largest < states) return;
  std::int64_t x = 0;
  while (cells[x * from.column_stride] < states) ++x;
  throw Error(fmt::format("the cell in row {} and column {} is in state {}: expected states 0 to {}", y, x,
                          cells[x * from.column_stride], states - 1),
              ErrorKind::usage);
}

void require_equal(Size from, Size to) {
  if (from == to) return;
  throw Error(fmt::format("{} x {} cells do not fill a view of {} x {}", from.width, from.height, to.width,
                          to.height),
              ErrorKind::usage);
}

}  // namespace

void pack_cells(const ConstByteView& from, const GridView& to) {
  require_equal({from.width, from.height}, to.size());
  for (std::int64_t y = 0; y < to.height; ++y) {
    const std::uint8_t* cells = from.cells + y * from.row_stride;
    std::int64_t left = from.width;
    for (std::uint64_t& word : to.row(y)) {
      word = packed_word(cells, left < 64 ? left : 64, from.column_stride);
      cells += 64 * from.column_stride;
      left -= 64;
    }
  }
}

void unpack_cells(const ConstGridView& from, const ByteView& to) {
  require_equal(from.size(), {to.width, to.height});
  for (std::int64_t y = 0; y < from.height; ++y) {
    std::uint8_t* cells = to.cells + y * to.row_stride;
    std::int64_t left = to.width;
    for (const std::uint64_t word : from.row(y)) {
      unpack_word(word, cells, left < 64 ? left : 64, to.column_stride);
      cells += 64 * to.column_stride;
      left -= 64;
    }
  }
}

Cells pack_states(const ConstByteView& from, int states) {
  Cells cells(from.width, from.height, states);
  const auto planes = static_cast<std::size_t>(cells.planes());
  for (std::int64_t y = 0; y < from.height; ++y) {
    require_states(from, y, states);
    const std::uint8_t* bytes = from.cells + y * from.row_stride;
    std::int64_t left = from.width;
    for (std::int64_t j = 0; left > 0; ++j, left -= 64, bytes += 64 * from.column_stride) {
      const StateWord word =
          packed_states(bytes, std::min<std::int64_t>(left, 64), from.column_stride, planes);
      for (std::size_t digit = 0; digit < planes; ++digit)
        cells.plane(static_cast<int>(digit)).row(y)[j] = word[digit];
    }
  }
  return cells;
}

void unpack_states(const Cells& from, const ByteView& to) {
  require_equal({from.width(), from.height()}, {to.width, to.height});
  const auto planes = static_cast<std::size_t>(from.planes());
  for (std::int64_t y = 0; y < to.height; ++y) {
    std::uint8_t* bytes = to.cells + y * to.row_stride;
    std::int64_t left = to.width;
    for (std::int64_t j = 0; left > 0; ++j, left -= 64, bytes += 64 * to.column_stride) {
      StateWord word{};
      for (std::size_t digit = 0; digit < planes; ++digit)
        word[digit] = from.plane(static_cast<int>(digit)).row(y)[j];
      unpack_states_of(word, planes, bytes, std::min<std::int64_t>(left, 64), to.column_stride);
    }
  }
}

}  // namespace moorea
