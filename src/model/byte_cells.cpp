// SPDX-License-Identifier: MIT
// Eight cells at a time by multiplications that gather and spread bits: fast enough that memory is the limit.
#include "moorea/byte_cells.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "moorea/error.h"

namespace moorea {
namespace {

constexpr std::uint64_t low_bits = 0x0101010101010101, high_bits = 0x8080808080808080;

// 1 in each byte that is not 0, 0 in the others.
std::uint64_t ones_of(std::uint64_t bytes) {
  const std::uint64_t any = ((bytes & ~high_bits) + ~high_bits) | bytes;
  return any >> 7 & low_bits;
}

// Bit i is byte i, each 0 or 1: the product moves byte i to bit 56 + i.
std::uint64_t gathered(std::uint64_t ones) { return ones * 0x0102040810204080 >> 56; }

// Byte i is bit i.
std::uint64_t spread(std::uint64_t bits) { return ones_of(bits * low_bits & 0x8040201008040201); }

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

// Digit i of the states of up to 64 cells is word i.
using StateWord = std::array<std::uint64_t, 8>;

StateWord packed_states(const std::uint8_t* cells, std::int64_t number, std::ptrdiff_t stride,
                        std::size_t planes) {
  StateWord word{};
  if (number == 64 && stride == 1) {
    for (int i = 0; i < 8; ++i) {
      std::uint64_t bytes;
      std::memcpy(&bytes, cells + 8 * i, sizeof bytes);
      for (std::size_t digit = 0; digit < planes; ++digit)
        word[digit] |= gathered(bytes >> digit & low_bits) << 8 * i;
    }
    return word;
  }
  for (std::int64_t i = 0; i < number; ++i) {
    const std::uint64_t state = cells[i * stride];
    for (std::size_t digit = 0; digit < planes; ++digit) word[digit] |= (state >> digit & 1) << i;
  }
  return word;
}

void unpack_states_of(const StateWord& word, std::size_t planes, std::uint8_t* cells, std::int64_t number,
                      std::ptrdiff_t stride) {
  if (number == 64 && stride == 1) {
    for (int i = 0; i < 8; ++i) {
      std::uint64_t bytes = 0;
      for (std::size_t digit = 0; digit < planes; ++digit)
        bytes |= spread(word[digit] >> 8 * i & 0xFF) << digit;
      std::memcpy(cells + 8 * i, &bytes, sizeof bytes);
    }
    return;
  }
  for (std::int64_t i = 0; i < number; ++i) {
    std::uint64_t state = 0;
    for (std::size_t digit = 0; digit < planes; ++digit) state |= (word[digit] >> i & 1) << digit;
    cells[i * stride] = static_cast<std::uint8_t>(state);
  }
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
