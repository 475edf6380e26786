// SPDX-License-Identifier: MIT
#include "objects/apgcode.h"

#include <cstdlib>

#include "model/digest.h"
#include "moorea/big_integer.h"

namespace moorea {
namespace {

constexpr std::int64_t max_size = 40;
constexpr std::int64_t strip_rows = 5;  // a character is a column of five cells, the upper one its lowest bit
constexpr char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";

// Blank columns within a strip.
std::string blanks(std::int64_t count) {
  std::string text;
  while (count > 3) {
    const std::int64_t run = std::min<std::int64_t>(count, 39);
    text += 'y';
    text += digits[run - 4];
    count -= run;
  }
  constexpr const char* few[] = {"", "0", "w", "x"};
  return text + few[count];
}

// Extended Wechsler code of cells whose box begins at (0, 0).
std::string wechsler(const CellList& cells, const Size& size) {
  const std::int64_t strips = (size.height + strip_rows - 1) / strip_rows;
  std::vector<unsigned> columns(static_cast<std::size_t>(strips * size.width));
  for (const Position& cell : cells)
    columns[static_cast<std::size_t>(cell.y / strip_rows * size.width + cell.x)] |= 1u << cell.y % strip_rows;
  std::string code;
  for (std::int64_t strip = 0; strip < strips; ++strip) {
    if (strip > 0) code += 'z';
    std::int64_t blank = 0;
    for (std::int64_t x = 0; x < size.width; ++x) {
      const unsigned column = columns[static_cast<std::size_t>(strip * size.width + x)];
      if (column == 0) {
        ++blank;
        continue;
      }
      code += blanks(blank);
      code += digits[column];
      blank = 0;
    }
  }
  return code;
}

// One of the eight orientations of a phase, its box at (0, 0).
std::string oriented(const CellList& cells, const Box& box, int orientation) {
  Size size = box.size();
  CellList turned;
  turned.reserve(cells.size());
  for (const Position& cell : cells) {
    Position at = cell - box.position();
    if (orientation & 1) at.x = size.width - 1 - at.x;
    if (orientation & 2) at.y = size.height - 1 - at.y;
    if (orientation & 4) std::swap(at.x, at.y);
    turned.push_back(at);
  }
  if (orientation & 4) std::swap(size.width, size.height);
  return wechsler(turned, size);
}

}  // namespace

std::string apgcode(const Cycle& cycle) {
  std::string best;
  for (const CellList& phase : cycle.phases) {
    const Box box = bounds(phase);
    if (box.width > max_size || box.height > max_size) continue;
    for (int orientation = 0; orientation < 8; ++orientation) {
      std::string code = oriented(phase, box, orientation);
      if (best.empty() || code.size() < best.size() || (code.size() == best.size() && code < best))
        best = std::move(code);
    }
  }
  if (best.empty()) return best;
  if (cycle.moves()) return "xq" + std::to_string(cycle.period()) + "_" + best;
  if (cycle.period() > 1) return "xp" + std::to_string(cycle.period()) + "_" + best;
  return "xs" + std::to_string(cycle.phases[0].size()) + "_" + best;
}

std::string apgcode_of_growth(std::span<const std::uint64_t> populations) {
  constexpr std::int64_t max_cubed = 2'000'000;
  const std::size_t all = populations.size() / 4;
  const auto growth = [&](std::size_t at, std::size_t generations) {
    return static_cast<std::int64_t>(populations[at + generations] - populations[at]);
  };
  // The smallest divisor of a number of generations that satisfies a condition on all of `seen` generations
  const auto smallest = [](std::size_t multiple, std::size_t seen, const auto& holds) -> std::size_t {
    for (std::size_t number = 1; number <= multiple; ++number) {
      if (multiple % number != 0) continue;
      std::size_t at = 0;
      while (at < seen && holds(at, number)) ++at;
      if (at == seen) return number;
    }
    return 0;
  };
  const std::size_t p = smallest(all, 2 * all, [&](std::size_t at, std::size_t number) {
    return growth(at, number) == growth(at + number, number);
  });
  if (p == 0) return {};
  const std::size_t q = smallest(
      p, p, [&](std::size_t at, std::size_t number) { return growth(at, p) == growth(at + number, p); });
  BigInteger sum, squares, cubes;
  for (std::size_t at = 0; at < p; ++at) {
    const std::int64_t by = growth(at, q);
    if (std::abs(by) > max_cubed) return {};
    sum += by;
    squares += by * by;
    cubes += by * by * by;
  }
  return "yl" + std::to_string(p) + "_" + std::to_string(q) + "_" + sum.str() + "_" +
         md5(squares.str() + "#" + cubes.str());
}

}  // namespace moorea
