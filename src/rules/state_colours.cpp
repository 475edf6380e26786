// SPDX-License-Identifier: MIT
#include "rules/state_colours.h"

#include <algorithm>

namespace moorea {
namespace {

Colour colour_of(const std::vector<int>& numbers, std::size_t at) {
  return {static_cast<std::uint8_t>(numbers[at]), static_cast<std::uint8_t>(numbers[at + 1]),
          static_cast<std::uint8_t>(numbers[at + 2])};
}

std::uint8_t between(int first, int last, int part, int parts) {
  return static_cast<std::uint8_t>(parts == 0 ? first : first + (last - first) * part / parts);
}

}  // namespace

void StateColours::read(std::string_view line, const RuleLines& lines) {
  if (line.empty()) return;
  std::vector<int> numbers;
  for (const std::string_view word : words_of(line)) {
    const std::optional<int> number = number_in(word);
    if (!number || numbers.size() == 6) break;
    numbers.push_back(*number);
  }
  const bool bad = std::ranges::any_of(numbers, [](int number) { return number < 0 || number > 255; });
  if (bad || (numbers.size() != 6 && numbers.size() < 4))
    lines.fail("expected a state and its red, green and blue, 0 to 255 each, or six numbers of two colours");
  any_ = true;
  if (numbers.size() == 6) {
    gradient_ = {colour_of(numbers, 0), colour_of(numbers, 3)};
    std::fill(named_.begin() + 1, named_.end(), std::nullopt);
  } else {
    named_[static_cast<std::size_t>(numbers[0])] = colour_of(numbers, 1);
  }
}

std::vector<Colour> StateColours::of(int states) const {
  std::vector<Colour> colours;
  if (!any_) return colours;
  constexpr Colour background{48, 48, 48};
  const auto& [first, last] = gradient_;
  for (int state = 0; state < states; ++state) {
    const int part = state - 1, parts = states - 2;
    const Colour usual = state == 0 ? background
                                    : Colour{between(first.red, last.red, part, parts),
                                             between(first.green, last.green, part, parts),
                                             between(first.blue, last.blue, part, parts)};
    colours.push_back(named_[static_cast<std::size_t>(state)].value_or(usual));
  }
  return colours;
}

}  // namespace moorea
