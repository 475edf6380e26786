// SPDX-License-Identifier: MIT
// The notations of Larger than Life are those of MCell, K. M. Evans, Golly and Catagolue (LifeWiki, "Larger
// than Life", "Higher-range outer-totalistic rule"), those of block rules MCell's and LifeViewer's.
#include "rules/wide_notation.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "moorea/error.h"

namespace moorea {
namespace {

using Interval = LargerThanLife::Interval;
using Shape = LargerThanLife::Shape;

struct NamedShape {
  char letter;
  Shape shape;
};
constexpr NamedShape shapes[] = {
    {'M', Shape::moore},
    {'N', Shape::von_neumann},
    {'C', Shape::circular},
    {'2', Shape::euclidean},
    {'H', Shape::hexagonal},
    {'+', Shape::cross},
    {'X', Shape::saltire},
    {'*', Shape::star},
    {'#', Shape::hash},
    {'B', Shape::checkerboard},
    {'D', Shape::aligned_checkerboard},
    {'@', Shape::custom},
};

constexpr int max_number = 1'000'000'000;

class WideReader {
 public:
  explicit WideReader(std::string_view text) : text_(text) {
    while (!text_.empty() && is_blank(text_.back())) text_.remove_suffix(1);
    skip_blanks();
  }

  std::optional<Rule> rule() {
    const char first = lower();
    const char second = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    if (first == 'r' && is_digit(second)) return larger_than_life();
    if (first == 'm' && is_digit(second)) return blocks(',');
    if (first == 'm' && (second == 's' || second == 'S')) return blocks(';');
    const std::string_view core = text_.substr(at_);
    if (is_digit(first) && core.find(',') != std::string_view::npos &&
        core.find_first_not_of("0123456789, ") == std::string_view::npos)
      return five_numbers();
    return {};
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t'; }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  [[noreturn]] void fail(std::string expected) const { throw NotationError{at_, std::move(expected)}; }

  char lower() const {
    return at_ < text_.size() ? static_cast<char>(std::tolower(static_cast<unsigned char>(text_[at_])))
                              : '\0';
  }
  void skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }

  int number(int first, int last, const char* what) {
    skip_blanks();
    const std::size_t start = at_;
    int value = 0;
    for (; is_digit(lower()); ++at_)
      value = std::min(10 * std::min(value, max_number / 10) + (lower() - '0'), max_number);
    if (at_ == start || value < first || value > last) {
      at_ = start;
      fail(fmt::format("expected {}, {} to {}", what, first, last));
    }
    skip_blanks();
    return value;
  }

  // A number, or two with .., - or t between them.
  Interval interval() {
    Interval result;
    result.first = result.last = number(0, max_number, "a count");
    const bool has_dots = text_.substr(at_).starts_with("..");
    if (has_dots || lower() == '-' || lower() == 't') {
      at_ += has_dots ? 2 : 1;
      const std::size_t start = at_;
      result.last = number(0, max_number, "a count");
      if (result.last < result.first) {
        at_ = start;
        fail(fmt::format("expected a count of {} or more", result.first));
      }
    }
    return result;
  }

  // Intervals with commas between them, or none.
  std::vector<Interval> intervals() {
    std::vector<Interval> result;
    skip_blanks();
    while (is_digit(lower())) {
      result.push_back(interval());
      const std::size_t comma = at_;
      if (lower() == ',') ++at_;
      skip_blanks();
      if (is_digit(lower()) && at_ != comma) continue;
      at_ = comma;
      break;
    }
    return result;
  }

  static bool separates(char c) { return c == ',' || c == '/' || c == '_'; }

  Rule larger_than_life() {
    ++at_;
    const int radius = number(1, LargerThanLife::max_radius, "a radius");
    std::optional<int> states, counts_centre;
    std::optional<std::vector<Interval>> birth, survival;
    std::optional<Shape> shape;
    // As Catagolue writes it, without separators; then the centre counts
    const bool is_short = at_ < text_.size() && !separates(lower());
    while (at_ < text_.size() && !shape) {
      if (separates(lower())) ++at_;
      skip_blanks();
      const char letter = lower();
      if (letter == 'c' && !states) {
        ++at_;
        const int given = number(0, Rule::max_states, "the number of states");
        states = std::max(given, 2);
      } else if (letter == 'm' && !counts_centre) {
        ++at_;
        counts_centre = number(0, 1, "M0, or M1 if the centre counts");
      } else if (letter == 's' && !survival) {
        ++at_;
        survival = intervals();
      } else if (letter == 'b' && !birth) {
        ++at_;
        birth = intervals();
      } else if (letter == 'n') {
        ++at_;
        shape = shape_letter();
      } else {
        fail(birth && survival
                 ? "expected ,N and the letter of a neighbourhood, or the end"
                 : fmt::format("expected {} and counts, as in R5,C2,S33-57,B34-45", birth ? 'S' : 'B'));
      }
    }
    if (!birth) fail("expected ,B and the counts of births");
    if (!survival) fail("expected ,S and the counts of survivals");
    if (counts_centre ? *counts_centre == 1 : is_short) survival = without_centre(*survival);
    const Rule result = complete(radius, shape.value_or(Shape::moore), *birth, *survival, states.value_or(2));
    if (at_ != text_.size()) fail("expected the end");
    return result;
  }

  Rule complete(int radius, Shape shape, const std::vector<Interval>& birth,
                const std::vector<Interval>& survival, int states) {
    if (shape != Shape::custom) return Rule::by(LargerThanLife(radius, shape, birth, survival), states);
    std::string digits;
    for (; at_ < text_.size() && std::isxdigit(static_cast<unsigned char>(text_[at_])) != 0; ++at_)
      digits += text_[at_];
    const int needed = radius * (radius + 1);
    if (static_cast<int>(digits.size()) != needed)
      fail(fmt::format("expected {} hexadecimal digits for the cells of radius {}, not {}{}", needed, radius,
                       digits.size(), at_ < text_.size() ? " and this character" : ""));
    return Rule::by(LargerThanLife(radius, digits, birth, survival), states);
  }

  Shape shape_letter() {
    const auto letter = static_cast<char>(std::toupper(static_cast<unsigned char>(lower())));
    for (const NamedShape& each : shapes) {
      if (each.letter != letter) continue;
      ++at_;
      skip_blanks();
      return each.shape;
    }
    fail(
        "expected the letter of a neighbourhood, of M, N, C, 2, H, +, X, *, #, B, D and @; weighted, "
        "triangular "
        "and other ones are not supported");
  }

  // A live cell whose own state was counted has a neighbour less, and never a count of 0.
  static std::vector<Interval> without_centre(std::vector<Interval> survival) {
    std::erase_if(survival, [](const Interval& each) { return each.last == 0; });
    for (Interval& each : survival) each = {std::max(each.first - 1, 0), each.last - 1};
    return survival;
  }

  // Radius, births and survivals, the centre counted.
  Rule five_numbers() {
    std::array<int, 5> values{};
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i > 0 && (lower() != ',' || ++at_ > text_.size()))
        fail("expected five numbers: radius, the limits of birth and those of survival, as in 5,34,45,34,58");
      values[i] = i == 0 ? number(1, LargerThanLife::max_radius, "a radius")
                         : number(i % 2 == 0 ? values[i - 1] : 0, max_number, "a count");
    }
    if (at_ != text_.size()) fail("expected the end");
    return Rule::by(LargerThanLife(values[0], Shape::moore, {{values[1], values[2]}},
                                   without_centre({{values[3], values[4]}})));
  }

  // M and 16 numbers, or MS,D and 16 numbers, as MCell writes it.
  Rule blocks(char separator) {
    ++at_;
    if (separator == ';') {
      ++at_;
      skip_blanks();
      if (lower() == ',') ++at_;
      skip_blanks();
      if (lower() != 'd') fail("expected ,D and 16 numbers with semicolons between them");
      ++at_;
    }
    Rule::Blocks result{};
    for (std::size_t i = 0; i < result.size(); ++i) {
      if (i > 0 && lower() != separator) fail(fmt::format("expected '{}' and a block, 16 in all", separator));
      if (i > 0) ++at_;
      result[i] = static_cast<std::uint8_t>(number(0, 15, "a block"));
    }
    if (at_ != text_.size()) fail("expected the end");
    return Rule::by(result);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<Rule> rule_of_wide_notation(std::string_view core) { return WideReader(core).rule(); }

std::string suffix_of(Shape shape) {
  for (const NamedShape& each : shapes)
    if (each.shape == shape) return std::string(",N") + each.letter;
  return "";
}

std::string text_of_blocks(const Rule::Blocks& blocks) {
  std::string text;
  for (const unsigned block : blocks) text += (text.empty() ? "M" : ",") + std::to_string(block);
  return text;
}

std::optional<Rule> Rule::inverse() const {
  if (!has_blocks_) return {};
  Blocks back{};
  unsigned seen = 0;
  for (unsigned block = 0; block < blocks_.size(); ++block) {
    seen |= 1u << blocks_[block];
    back[blocks_[block]] = static_cast<std::uint8_t>(block);
  }
  return seen == 0xFFFF ? std::optional(by(back)) : std::nullopt;
}

}  // namespace moorea
