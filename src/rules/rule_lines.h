// SPDX-License-Identifier: MIT
// Lines and words of @RULE files.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace moorea {

/// A text without blanks at both ends.
std::string_view trimmed(std::string_view text);

/// The number that a text is; empty if it is none.
std::optional<int> number_in(std::string_view text);

/// Parts between commas, blanks and braces.
std::vector<std::string_view> words_of(std::string_view text);

/// The lines of a file, one after the other.
class RuleLines {
 public:
  RuleLines(std::string_view text, std::string_view path) : text_(text), path_(path) {}

  /// The next line without comment and surrounding blanks; false at the end.
  bool next(std::string_view& line);

  /// Throws Error with the path and the number of the last line.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  std::string_view text_, path_;
  std::size_t at_ = 0;
  int number_ = 0;
};

}  // namespace moorea
