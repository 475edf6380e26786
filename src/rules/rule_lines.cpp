// SPDX-License-Identifier: MIT
#include "rules/rule_lines.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "moorea/error.h"

namespace moorea {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::optional<int> number_in(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

std::vector<std::string_view> words_of(std::string_view text) {
  constexpr std::string_view separators = ", \t{}";
  std::vector<std::string_view> words;
  for (std::size_t at = 0; (at = text.find_first_not_of(separators, at)) != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

bool RuleLines::next(std::string_view& line) {
  if (at_ >= text_.size()) return false;
  const std::size_t end = std::min(text_.find('\n', at_), text_.size());
  line = text_.substr(at_, end - at_);
  line = trimmed(line.substr(0, line.find('#')));
  at_ = end + 1;
  ++number_;
  return true;
}

void RuleLines::fail(const std::string& what) const {
  throw Error(fmt::format("{}, line {}: {}", path_, number_, what));
}

}  // namespace moorea
