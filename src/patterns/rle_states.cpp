// SPDX-License-Identifier: MIT
#include "patterns/rle_states.h"

#include <fmt/core.h>

#include <algorithm>

#include "moorea/rule.h"
#include "patterns/pattern_rule.h"

namespace moorea::patterns {
namespace {

constexpr int states_of_a_prefix = 24;

bool is_state_letter(char c) { return c >= 'A' && c <= 'X'; }
bool is_state_prefix(char c) { return c >= 'p' && c <= 'y'; }

}  // namespace

RleLetters rle_letters(std::string_view body, const Pattern& facts) {
  RleLetters letters;
  letters.rule_states = states_of_rule(facts);
  // Of a rule that Moorea does not know: another one may be given, and "B" would be lost
  letters.are_states = letters.rule_states != 0 || (!facts.rule.empty() && !rule_of(facts));
  for (std::size_t at = 0; at < body.size() && !letters.are_states && body[at] != '!'; ++at) {
    const char c = body[at];
    if (c == '#' && (at == 0 || body[at - 1] == '\n'))
      at = std::min(body.find('\n', at), body.size()) - 1;
    else
      letters.are_states = c == '.' || is_state_prefix(c) || (is_state_letter(c) && c != 'B' && c != 'O');
  }
  return letters;
}

int take_rle_state(const RleLetters& letters, char first, const Cursor& at, Cursor& cursor) {
  if (first == 'b' || first == '.') return 0;
  if (first == 'o') return 1;
  if (!letters.are_states) return first == 'B' ? 0 : first == 'O' ? 1 : -1;
  int state = 0;
  std::string text(1, first);
  if (is_state_prefix(first)) {
    if (!is_state_letter(cursor.peek()))
      cursor.fail(fmt::format("expected a letter 'A' to 'X' after '{}', for a state", first));
    state = states_of_a_prefix * (first - 'p' + 1);
    first = cursor.take();
    text += first;
  }
  if (!is_state_letter(first)) return -1;
  state += first - 'A' + 1;
  if (state >= Rule::max_states)
    at.fail(fmt::format("'{}' is state {}; the largest one is {}", text, state, Rule::max_states - 1));
  if (letters.rule_states != 0 && state >= letters.rule_states) {
    at.fail(fmt::format("'{}' is state {}, but the states of the pattern's rule are 0 to {}", text, state,
                        letters.rule_states - 1));
  }
  return state;
}

std::string rle_state_text(int state) {
  if (state == 0) return ".";
  const int block = (state - 1) / states_of_a_prefix, letter = (state - 1) % states_of_a_prefix;
  std::string text(1, static_cast<char>('A' + letter));
  if (block > 0) text.insert(text.begin(), static_cast<char>('p' + block - 1));
  return text;
}

}  // namespace moorea::patterns
