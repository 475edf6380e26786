// SPDX-License-Identifier: MIT
// 64 lanes and up to 64 columns form a square of bits, which is transposed; of narrower squares several are
// adjacent.
#include "boards/strided_rows.h"

#include <algorithm>
#include <bit>

#include "model/bits.h"
#include "model/transpose.h"

namespace moorea {
namespace {

int square_size(std::int64_t columns) {
  return static_cast<int>(std::bit_ceil(static_cast<std::uint64_t>(std::min<std::int64_t>(columns, 64))));
}

}  // namespace

void to_strided(const std::uint64_t* packed, std::int64_t width, std::uint64_t* vectors, std::int64_t stride,
                int lanes) {
  const std::int64_t words = words_for(width);
  for (std::int64_t column = 0; column < stride; column += 64) {
    const std::int64_t columns = std::min<std::int64_t>(stride - column, 64);
    const int size = square_size(columns);
    const std::uint64_t wanted = tail_mask(columns);
    for (int part = 0; part < lanes / 64; ++part) {
      std::uint64_t square[64] = {};
      for (int i = 0; i < 64; ++i) {
        const std::int64_t x = (part * 64 + i) * stride + column;
        square[i & (size - 1)] |= (cells_at(packed, words, x) & wanted) << (i & ~(size - 1));
      }
      transpose(square, size);
      for (std::int64_t j = 0; j < columns; ++j) vectors[(column + j) * (lanes / 64) + part] = square[j];
    }
  }
}

void from_strided(const std::uint64_t* vectors, std::int64_t stride, int lanes, std::uint64_t* packed,
                  std::int64_t width) {
  const std::int64_t words = words_for(width);
  std::fill(packed, packed + words, 0);
  for (std::int64_t column = 0; column < stride; column += 64) {
    const std::int64_t columns = std::min<std::int64_t>(stride - column, 64);
    const int size = square_size(columns);
    const std::uint64_t wanted = tail_mask(columns);
    for (int part = 0; part < lanes / 64; ++part) {
      std::uint64_t square[64] = {};
      for (std::int64_t j = 0; j < columns; ++j) square[j] = vectors[(column + j) * (lanes / 64) + part];
      transpose(square, size);
      for (int i = 0; i < 64; ++i) {
        const std::int64_t x = (part * 64 + i) * stride + column;
        if (x >= width) break;
        const std::uint64_t cells = square[i & (size - 1)] >> (i & ~(size - 1)) & wanted;
        const int shift = static_cast<int>(x % 64);
        packed[x / 64] |= cells << shift;
        if (shift != 0 && x / 64 + 1 < words) packed[x / 64 + 1] |= cells >> (64 - shift);
      }
    }
  }
  packed[words - 1] &= tail_mask(width);
}

}  // namespace moorea
