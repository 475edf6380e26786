// SPDX-License-Identifier: MIT
// Noise, bit-sliced: one call of the generator gives one binary digit of the random numbers of 128 cells, and
// a density of one half needs only the first digit. The digits are compared with the density's from the first
// to the last, until they decide all cells: on average after 8 digits instead of up to 32.
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

using CellPair = std::array<std::uint64_t, 2>;

// Bit 31 - digit of a cell's 32-bit number is the complement of its bit in the generator's output for the
// counter (column / 128, row, row >> 32, digit); the cell is alive if the number is below density * 2^32.
// Cells outside `wanted` are dead.
CellPair random_cells(std::uint64_t threshold, std::uint64_t seed, std::int64_t block, std::int64_t row,
                      const CellPair& wanted) {
  CellPair alive{}, undecided = wanted;  // undecided: all digits so far are equal to the threshold's
  const int last = std::countr_zero(threshold);
  for (int place = 31; place >= last && (undecided[0] | undecided[1]) != 0; --place) {
    const auto bits =
        philox4x32_10({static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(row),
                       static_cast<std::uint32_t>(row >> 32), static_cast<std::uint32_t>(31 - place)},
                      {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
    for (std::size_t word = 0; word < 2; ++word) {
      const std::uint64_t random = bits[2 * word] | std::uint64_t{bits[2 * word + 1]} << 32;
      if ((threshold >> place & 1) != 0) {
        alive[word] |= undecided[word] & random;
        undecided[word] &= ~random;
      } else {
        undecided[word] &= random;
      }
    }
  }
  return alive;
}

// Bits of word `word` of a row that are cells.
std::uint64_t cells_of_word(std::int64_t word, std::int64_t width) {
  const std::int64_t words = words_for(width);
  return word + 1 < words ? ~std::uint64_t{0} : word + 1 == words ? tail_mask(width) : 0;
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
      const CellPair wanted = {cells_of_word(word, size.width), cells_of_word(word + 1, size.width)};
      const CellPair alive = full ? wanted : random_cells(threshold, seed, word / 2, top + y, wanted);
      cells[word] = alive[0];
      if (word + 1 < words) cells[word + 1] = alive[1];
    }
  }
  return grid;
}

Grid Grid::random(std::int64_t width, std::int64_t height, double density, std::uint64_t seed) {
  return noise_rows({width, height}, 0, density, seed);
}

}  // namespace moorea
