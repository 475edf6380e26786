// SPDX-License-Identifier: MIT
// MCell's files, read only: lines "#RULE 345/2/4", "#GOLLY" with Golly's name of the rule, "#BOARD 80x60" and
// "#WRAP 1" if the edges are joined, "#D" comments, and "#L" with runs as in RLE, without a final "!". States
// are "A" to "X", after "a" to "j" 24 to 240 more.
#include <fmt/core.h>

#include <cstdio>
#include <optional>
#include <string>

#include "moorea/rule.h"
#include "patterns/format.h"
#include "patterns/pattern_rule.h"
#include "patterns/rle_states.h"
#include "patterns/text.h"

namespace moorea::patterns {
namespace {

constexpr int states_of_a_prefix = 24;

bool recognises(std::string_view bytes) { return starts_with_word(trim(bytes), "#MCell"); }

std::optional<Size> read_board(const std::string& text) {
  long long width = 0, height = 0;
  if (std::sscanf(text.c_str(), "%lld x %lld", &width, &height) != 2 || width < 1 || height < 1 ||
      width > largest_coordinate || height > largest_coordinate)
    return {};
  return Size{width, height};
}

// Reads the lines that are not cells.
Pattern read_facts(std::string_view bytes, const Source& source) {
  Pattern pattern;
  std::string game, rule, golly;
  std::optional<Size> board;
  bool wraps = false;
  for (Cursor cursor(bytes, source.name); !cursor.at_end();) {
    const std::string_view line = cursor.take_line();
    const auto after = [&](std::string_view word) {
      return starts_with_word(line, word) ? std::optional(trim(line.substr(word.size()))) : std::nullopt;
    };
    if (const auto text = after("#GAME"))
      game = *text;
    else if (const auto part = after("#RULE"))
      rule += *part;
    else if (const auto name = after("#GOLLY"))
      golly = *name;
    else if (const auto size = after("#BOARD"))
      board = read_board(std::string(*size));
    else if (const auto number = after("#WRAP"))
      wraps = *number == "1";
    else if (const auto comment = after("#D"))
      pattern.comments.emplace_back(*comment);
  }
  // Life's rule is the default; tables have no other name
  pattern.rule = !golly.empty() ? golly : rule.empty() ? (game == "Life" ? "B3/S23" : game) : rule;
  if (board && !pattern.rule.empty())
    pattern.rule += fmt::format(":{}{},{}", wraps ? 'T' : 'P', board->width, board->height);
  return pattern;
}

int take_state(Cursor& cursor, int rule_states) {
  const Cursor at = cursor;
  char letter = cursor.take();
  if (letter == '.') return 0;
  int state = 0;
  if (letter >= 'a' && letter <= 'j') {
    state = states_of_a_prefix * (letter - 'a' + 1);
    letter = cursor.peek();
    if (letter >= 'A' && letter <= 'X') cursor.take();
  }
  if (letter < 'A' || letter > 'X')
    at.fail("expected a run of '.', of 'A' to 'X', perhaps after 'a' to 'j', or of '$'");
  state += letter - 'A' + 1;
  const int states = rule_states != 0 ? rule_states : Rule::max_states;
  if (state >= states)
    at.fail(fmt::format("state {}, but the states of the pattern's rule are 0 to {}", state, states - 1));
  return state;
}

template <class Run>
void read_cells(std::string_view bytes, const Source& source, int rule_states, const Run& run) {
  std::int64_t x = 0, y = 0;
  Cursor cursor(bytes, source.name);
  while (!cursor.at_end()) {
    if (!cursor.take_word("#L")) {
      cursor.take_line();
      continue;
    }
    for (cursor.skip_blanks(); !cursor.at_end() && cursor.peek() != '\n'; cursor.skip_blanks()) {
      const Cursor start = cursor;
      std::int64_t count = 1;
      if (cursor.peek() >= '0' && cursor.peek() <= '9') count = cursor.take_number("a run count");
      if (cursor.peek() == '$') {
        cursor.take();
        x = 0;
        y += count;
      } else {
        const int state = take_state(cursor, rule_states);
        if (state > 0 && count > 0) run(x, y, count, state);
        x += count;
      }
      if (x > largest_coordinate || y > largest_coordinate)
        start.fail(fmt::format("the pattern reaches beyond {} cells", largest_coordinate));
    }
  }
}

Pattern read(std::string_view bytes, const Source& source) {
  Pattern pattern = read_facts(bytes, source);
  const int states = states_of_rule(pattern);
  read_runs(
      source, states, [&](const auto& run) { read_cells(bytes, source, states, run); }, pattern);
  return pattern;
}

}  // namespace

extern const Format mcl;
const Format mcl = {{"mcl", ".mcl", "MCell, with rule, board and states", false}, recognises, read, nullptr};

}  // namespace moorea::patterns
