// SPDX-License-Identifier: MIT
// Cells of an extended Wechsler code (LifeWiki, "Apgcode"): strips of five rows, a digit for each column.
#include "moorea/census.h"
#include "moorea/error.h"
#include "objects/cells.h"

namespace moorea {
namespace {

[[noreturn]] void refuse(std::string_view code) {
  throw Error("\"" + std::string(code) + "\" is no apgcode of a still life, an oscillator or a spaceship",
              ErrorKind::usage);
}

// 0 to 35, or -1.
int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'z' ? c - 'a' + 10 : -1;
}

CellList decode(std::string_view code, std::string_view shape) {
  CellList cells;
  std::int64_t x = 0, y = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const int value = digit_value(shape[i]);
    if (value < 0) refuse(code);
    if (value < 32) {
      for (int row = 0; row < 5; ++row) {
        if (value >> row & 1) cells.push_back({x, y + row});
      }
      ++x;
    } else if (shape[i] == 'w' || shape[i] == 'x') {
      x += shape[i] == 'w' ? 2 : 3;
    } else if (shape[i] == 'y') {
      if (++i == shape.size() || digit_value(shape[i]) < 0) refuse(code);
      x += 4 + digit_value(shape[i]);
    } else {
      x = 0;
      y += 5;
    }
  }
  std::sort(cells.begin(), cells.end(), RowOrder());
  return cells;
}

}  // namespace

Pattern apgcode_pattern(std::string_view apgcode, const Rule& rule) {
  const std::size_t bar = apgcode.find('_');
  if (bar == std::string_view::npos || apgcode.size() < 5 || apgcode[0] != 'x' ||
      std::string_view("spq").find(apgcode[1]) == std::string_view::npos)
    refuse(apgcode);
  const CellList cells = decode(apgcode, apgcode.substr(bar + 1));
  // The cells of a still life, or a period
  const std::string_view number = apgcode.substr(2, bar - 2);
  if (cells.empty() || number.empty() || number.find_first_not_of("0123456789") != std::string_view::npos)
    refuse(apgcode);
  if (apgcode[1] == 's' && number != std::to_string(cells.size()))
    throw Error("\"" + std::string(apgcode) + "\" names a still life of " + std::string(number) +
                    " cells and has " + std::to_string(cells.size()),
                ErrorKind::usage);
  Pattern pattern = pattern_of(cells);
  pattern.rule = rule.str();
  return pattern;
}

}  // namespace moorea
