// SPDX-License-Identifier: MIT
#include "patterns/text.h"

#include <fmt/core.h>
#include <strings.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace moorea::patterns {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

void require_cells(const Source& source, std::int64_t width, std::int64_t height) {
  if (static_cast<double>(width) * static_cast<double>(height) <= source.max_cells) return;
  throw Error(fmt::format("{}: {} x {} cells are too many: at most {:.0f} are supported", source.name, width,
                          height, source.max_cells));
}

char Cursor::take() {
  const char c = text_[at_++];
  if (c == '\n') {
    ++line_;
    column_ = 1;
  } else {
    ++column_;
  }
  return c;
}

void Cursor::skip_blanks() {
  while (is_blank(peek())) take();
}

void Cursor::skip_space() {
  while (is_blank(peek()) || peek() == '\n') take();
}

std::string_view Cursor::take_line() {
  const std::size_t end = std::min(text_.find('\n', at_), text_.size());
  const std::string_view line = text_.substr(at_, end - at_);
  at_ = std::min(end + 1, text_.size());
  ++line_;
  column_ = 1;
  return trim(line);
}

std::int64_t Cursor::take_number(const std::string& what, std::int64_t largest) {
  if (!is_digit(peek())) fail("expected " + what);
  const Cursor start = *this;
  std::int64_t value = 0;
  while (is_digit(peek())) {
    const int digit = take() - '0';
    if (value > (largest - digit) / 10) start.fail(fmt::format("{} is larger than {}", what, largest));
    value = value * 10 + digit;
  }
  return value;
}

std::int64_t Cursor::take_signed(const std::string& what) {
  const bool negative = peek() == '-';
  if (negative || peek() == '+') take();
  const std::int64_t value = take_number(what, largest_position);
  return negative ? -value : value;
}

bool Cursor::take_word(std::string_view word) {
  if (!starts_with_word(rest(), word)) return false;
  for (std::size_t i = 0; i < word.size(); ++i) take();
  return true;
}

Cursor Cursor::this_line() const {
  Cursor line = *this;
  line.text_ = text_.substr(0, text_.find('\n', at_));
  return line;
}

void Cursor::fail(const std::string& text) const {
  throw Error(fmt::format("{}, line {}, column {}: {}", *source_, line_, column_, text));
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

bool starts_with_word(std::string_view text, std::string_view word) {
  return text.size() >= word.size() && strncasecmp(text.data(), word.data(), word.size()) == 0;
}

std::string one_line(std::string text) {
  for (char& c : text) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  return text;
}

std::string_view comment_of(std::string_view behind_mark) {
  if (behind_mark.starts_with(' ')) behind_mark.remove_prefix(1);
  const std::size_t end = behind_mark.find_last_not_of(" \t\r");
  return behind_mark.substr(0, end == std::string_view::npos ? 0 : end + 1);
}

std::string comment_line(std::string_view mark, const std::string& text) {
  return std::string(mark) + (text.empty() ? "" : " ") + one_line(text) + "\n";
}

void Extent::add(std::int64_t x, std::int64_t y, std::int64_t length) {
  if (empty()) {
    left_ = x, right_ = x + length, top_ = y, bottom_ = y + 1;
    return;
  }
  left_ = std::min(left_, x), right_ = std::max(right_, x + length);
  top_ = std::min(top_, y), bottom_ = std::max(bottom_, y + 1);
}

Box Extent::box(bool from_zero) const {
  if (from_zero) return {0, 0, right_, bottom_};
  return {left_, top_, right_ - left_, bottom_ - top_};
}

void fill_run(Grid& grid, std::int64_t x, std::int64_t y, std::int64_t length) {
  std::uint64_t* row = grid.row(y);
  for (std::int64_t end = x + length; x < end;) {
    const std::int64_t bits = std::min<std::int64_t>(end - x, 64 - (x & 63));
    const std::uint64_t run = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    row[x >> 6] |= run << (x & 63);
    x += bits;
  }
}

std::optional<Position> read_position(const std::string& text, const char* format) {
  long long x = 0, y = 0;
  if (std::sscanf(text.c_str(), format, &x, &y) != 2) return std::nullopt;
  const auto fits = [](long long value) { return value >= -largest_position && value <= largest_position; };
  if (!fits(x) || !fits(y)) return std::nullopt;
  return Position{x, y};
}

bool read_note(std::string_view line, Pattern& pattern) {
  line = trim(line);
  if (!starts_with_word(line, "Moorea ")) return false;
  line.remove_prefix(7);
  while (!(line = trim(line)).empty()) {
    if (starts_with_word(line, "Rule=")) {
      pattern.rule = line.substr(5);  // the last item, for it may contain blanks
      break;
    }
    const std::string_view item = line.substr(0, line.find(' '));
    unsigned long long generation = 0;
    const std::string text(item);
    if (const std::optional<Position> position = read_position(text, "Pos=%lld,%lld")) {
      pattern.position = position;
    } else if (std::sscanf(text.c_str(), "Gen=%llu", &generation) == 1 &&
               generation <= static_cast<unsigned long long>(largest_generation)) {
      pattern.generation = generation;
    }
    line.remove_prefix(item.size());
  }
  return true;
}

std::string comment_text(std::string text) {
  text = one_line(std::move(text));
  for (const char* word : {"Moorea ", "Name:", "Author:"}) {
    if (starts_with_word(trim(text), word)) return "- " + text;
  }
  return text;
}

std::string write_note(const Pattern& pattern, bool with_position) {
  std::string note;
  const Position at = written_position(pattern);
  if (with_position && (pattern.position || at != middle_of(pattern)))
    note += fmt::format(" Pos={},{}", at.x, at.y);
  if (pattern.generation != 0) note += fmt::format(" Gen={}", pattern.generation);
  if (!pattern.rule.empty() && pattern.rule != Rule().str()) note += " Rule=" + one_line(pattern.rule);
  return note.empty() ? note : "Moorea" + note;
}

}  // namespace moorea::patterns
