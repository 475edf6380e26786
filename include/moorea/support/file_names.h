// SPDX-License-Identifier: MIT
// Endings of files' names.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#pragma GCC visibility push(default)
namespace moorea {

/// Whether a name has an ending such as ".png", in small or capital letters of ASCII; `tail` has small
/// ones.
inline bool has_ending(std::string_view name, std::string_view tail) {
  const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return name.size() >= tail.size() &&
         std::equal(tail.begin(), tail.end(), name.end() - static_cast<std::ptrdiff_t>(tail.size()),
                    [&](char expected, char c) { return small(c) == expected; });
}

}  // namespace moorea
#pragma GCC visibility pop
