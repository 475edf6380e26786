// SPDX-License-Identifier: MIT
#include "rules/printable.h"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace moorea {
namespace {

// Bytes after the first one of a character in UTF-8; empty for a byte that begins none.
std::optional<std::size_t> bytes_after(unsigned char first) {
  if (first < 0x80) return 0;
  if (first >= 0xc2 && first < 0xe0) return 1;
  if (first >= 0xe0 && first < 0xf0) return 2;
  if (first >= 0xf0 && first < 0xf5) return 3;
  return std::nullopt;
}

}  // namespace

std::string printable(std::string text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto first = static_cast<unsigned char>(text[i]);
    const std::optional<std::size_t> more = bytes_after(first);
    const bool is_whole = more && i + *more < text.size() &&
                          std::all_of(text.begin() + static_cast<std::ptrdiff_t>(i + 1),
                                      text.begin() + static_cast<std::ptrdiff_t>(i + 1 + *more),
                                      [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; });
    if (!is_whole || first < ' ' || first == 0x7f)
      text[i] = '?';
    else
      i += *more;
  }
  return text;
}

}  // namespace moorea
