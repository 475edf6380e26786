// SPDX-License-Identifier: MIT
// Noise, bit-sliced: one call of the generator gives one binary digit of the random numbers of 128 cells, and
// a density of one half needs only the first digit. The digits are compared with the density's from the last
// to the first.
#include <fmt/core.h>

#include <bit>
#include <cmath>

#include "model/bits.h"
#include "model/philox.h"
#include "moorea/error.h"
#include "moorea/grid.h"
#include "moorea/ranks.h"

namespace moorea {
namespace {

// Bit 31 - digit of a cell's 32-bit number is the complement of its bit in the generator's output for the
// counter (column / 128, row, row >> 32, digit); the cell is alive if the number is below density * 2^32.
std::array<std::uint64_t, 2> random_cells(std::uint64_t threshold, std::uint64_t seed, std::int64_t block,
                                          std::int64_t row) {
  std::array<std::uint64_t, 2> alive{};
  for (int place = std::countr_zero(threshold); place < 32; ++place) {
    const auto bits =
        philox4x32_10({static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(row),
                       static_cast<std::uint32_t>(row >> 32), static_cast<std::uint32_t>(31 - place)},
                      {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
    for (std::size_t word = 0; word < 2; ++word) {
      const std::uint64_t random = bits[2 * word] | std::uint64_t{bits[2 * word + 1]} << 32;
      alive[word] = threshold >> place & 1 ? random | alive[word] : random & alive[word];
    }
  }
  return alive;
}

}  // namespace

Grid noise_rows(Size size, std::int64_t top, double density, std::uint64_t seed) {
  if (!(density >= 0 && density <= 1)) {
    throw Error(fmt::format("a density of {} is not between 0 and 1", density), ErrorKind::usage);
  }
  Grid grid(size.width, size.height);
  const auto threshold = static_cast<std::uint64_t>(std::llround(std::ldexp(density, 32)));
  if (threshold == 0 || grid.empty()) return grid;
  const bool full = threshold >> 32 != 0;
  const std::int64_t words = grid.words_per_row();
  for (std::int64_t y = 0; y < size.height; ++y) {
    std::uint64_t* cells = grid.row(y);
    for (std::int64_t word = 0; word < words; word += 2) {
      const auto alive = full ? std::array<std::uint64_t, 2>{~std::uint64_t{0}, ~std::uint64_t{0}}
                              : random_cells(threshold, seed, word / 2, top + y);
      cells[word] = alive[0];
      if (word + 1 < words) cells[word + 1] = alive[1];
    }
    cells[words - 1] &= tail_mask(size.width);
  }
  return grid;
}

Grid Grid::random(std::int64_t width, std::int64_t height, double density, std::uint64_t seed) {
  return noise_rows({width, height}, 0, density, seed);
}

}  // namespace moorea
