// SPDX-License-Identifier: MIT
// States of cells as Golly's extended RLE writes them: "." is 0, "A" to "X" are 1 to 24, "pA" to "pX" 25 to
// 48, and so on up to "yO", 255.
#pragma once

#include <string>
#include <string_view>

#include "patterns/text.h"

namespace moorea::patterns {

/// Letters of a file's cells.
struct RleLetters {
  /// Whether capital letters are states; otherwise "B" is "b" and "O" is "o".
  bool are_states = false;
  /// Number of states of the file's rule; 0 for rules of two states and those that are not supported.
  int rule_states = 0;
};

/// Finds the meaning of the letters: they are states if the rule has more than two, or if one of them, before
/// the "!", can be nothing else. `body` begins after the header.
RleLetters rle_letters(std::string_view body, const std::string& rule);

/// Returns the state that begins with the letter `first`, which the cursor has passed; -1 for another letter.
/// Throws Error (run) if the file's rule does not have the state; `at` is the place of `first`.
int take_rle_state(const RleLetters& letters, char first, const Cursor& at, Cursor& cursor);

/// Inverse of take_rle_state, with all letters as states.
std::string rle_state_text(int state);

}  // namespace moorea::patterns
