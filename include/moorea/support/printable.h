// SPDX-License-Identifier: MIT
// Texts from outside, such as names and arguments, for a terminal, on which control characters could do harm.
#pragma once

#include <string>
#include <string_view>

#pragma GCC visibility push(default)
namespace moorea {

/// Returns the text with question marks for bytes that are no character in UTF-8 and for control characters,
/// which would move a caret.
std::string printable(std::string_view text);

/// Returns the text with such bytes as "\x1b".
std::string escaped(std::string_view text);

/// Returns the text with such bytes as "\x1b", but with its tabs and ends of lines.
std::string escaped_lines(std::string_view text);

}  // namespace moorea
#pragma GCC visibility pop
