// SPDX-License-Identifier: MIT
#include "moorea/grid_view.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "model/bits.h"
#include "moorea/error.h"

namespace moorea {
namespace {

constexpr std::pair<std::string_view, PasteMode> modes[] = {{"replace", PasteMode::replace},
                                                            {"or", PasteMode::bitwise_or},
                                                            {"xor", PasteMode::bitwise_xor},
                                                            {"and-not", PasteMode::bitwise_and_not}};

}  // namespace

std::string_view to_string(PasteMode mode) {
  for (const auto& [name, value] : modes) {
    if (value == mode) return name;
  }
  return "";
}

std::optional<Box> bounding_box_of(const ConstGridView& cells) {
  std::int64_t left = cells.width, right = -1, top = -1, bottom = -1;
  const std::int64_t words = words_for(cells.width);
  for (std::int64_t y = 0; y < cells.height && words > 0; ++y) {
    const std::uint64_t* const row = cells.words + y * cells.words_per_row;
    const auto word = [&](std::int64_t j) {
      return j + 1 == words ? row[j] & tail_mask(cells.width) : row[j];
    };
    std::int64_t first = 0, last = words - 1;
    while (first < words && word(first) == 0) ++first;
    if (first == words) continue;
    while (word(last) == 0) --last;
    if (top < 0) top = y;
    bottom = y;
    left = std::min<std::int64_t>(left, first * 64 + std::countr_zero(word(first)));
    right = std::max<std::int64_t>(right, last * 64 + 63 - std::countl_zero(word(last)));
  }
  if (top < 0) return std::nullopt;
  return Box{left, top, right - left + 1, bottom - top + 1};
}

PasteMode parse_paste_mode(std::string_view text) {
  for (const auto& [name, value] : modes) {
    if (name == text) return value;
  }
  throw Error(fmt::format("paste mode \"{}\": expected replace, or, xor or and-not", text), ErrorKind::usage);
}

}  // namespace moorea
