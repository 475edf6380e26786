// SPDX-License-Identifier: MIT
#include "moorea/support/printable.h"

#include <fmt/core.h>

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

// Bytes of the character at the beginning of a text; 0 if there is none, or a control character.
std::size_t printable_bytes(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::optional<std::size_t> more = bytes_after(first);
  if (!more || *more >= text.size() || first < ' ' || first == 0x7f) return 0;
  // What the second byte has to be at least and at most: others would be longer forms of smaller numbers,
  // halves of pairs, or too large
  const unsigned char second = *more == 0 ? 0 : static_cast<unsigned char>(text[1]);
  if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) ||
      (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90))
    return 0;
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
  if (!std::ranges::all_of(text.substr(1, *more), continues)) return 0;
  const bool is_control = first == 0xc2 && second < 0xa0;
  return is_control ? 0 : 1 + *more;
}

// With replaced(byte) for each byte that is not printable.
template <class Replaced>
std::string with_replaced(std::string_view text, const Replaced& replaced) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t bytes = printable_bytes(text);
    if (bytes > 0)
      shown += text.substr(0, bytes);
    else
      shown += replaced(text[0]);
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return shown;
}

}  // namespace

std::string printable(std::string_view text) {
  return with_replaced(text, [](char) { return '?'; });
}

std::string escaped(std::string_view text) {
  return with_replaced(text, [](char c) { return fmt::format("\\x{:02x}", static_cast<unsigned char>(c)); });
}

std::string escaped_lines(std::string_view text) {
  return with_replaced(text, [](char c) {
    return c == '\n' || c == '\t' ? std::string(1, c)
                                  : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  });
}

}  // namespace moorea
