// SPDX-License-Identifier: MIT
#include "rules/states_letter.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <string>

#include "rules/wide_notation.h"

namespace moorea {
namespace {

constexpr std::size_t npos = std::string_view::npos;

// Whether digits may be counts that follow the others of the same list: none of them is there twice.
bool are_counts(std::string_view before, std::string_view digits) {
  std::string all(before.substr(before.find_last_of("bBsS") + 1));
  std::erase_if(all, [](unsigned char c) { return std::isdigit(c) == 0; });
  all += digits;
  std::ranges::sort(all);
  return std::ranges::adjacent_find(all) == all.end();
}

}  // namespace

std::size_t states_letter(std::string_view core) {
  core = core.substr(0, core.find_last_not_of(" \tvVhH") + 1);
  const std::size_t letter = core.find_last_not_of("0123456789");
  if (letter == npos || letter + 1 == core.size() || letter == 0) return npos;
  const std::string_view before = core.substr(0, letter), after = core.substr(letter + 1);
  if ((core[letter] != 'c' && core[letter] != 'C') || before.find_first_of("bB") == npos ||
      before.find_first_of("sS") == npos || std::string_view("bBsS012345678").find(before.back()) == npos)
    return npos;
  const bool is_small = core[letter] == 'c';
  const std::string ascending = before.back() + std::string(after);
  if (ascending[0] <= '0' || ascending[0] >= '8' || after.find('9') != npos) return letter;
  if (std::ranges::adjacent_find(ascending, std::greater_equal<>()) != ascending.end()) {
    if (!is_small || before.find('/') == npos || !are_counts(before, after)) return letter;
    throw NotationError{letter,
                        "expected ascending counts around the arrangement c, or /C and the number of states"};
  }
  if (is_small) return npos;
  throw NotationError{letter,
                      fmt::format("expected c, an arrangement of {} live neighbours, or /C and the number of "
                                  "states",
                                  ascending[0])};
}

}  // namespace moorea
