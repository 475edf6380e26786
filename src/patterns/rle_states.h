// SPDX-License-Identifier: MIT
// States of cells as Golly's extended RLE writes them: "." is 0, "A" to "X" are 1 to 24, "pA" to "pX" 25 to
// 48, and so on up to "yO", 255.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "moorea/cells.h"
#include "moorea/pattern.h"
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
RleLetters rle_letters(std::string_view body, const Pattern& facts);

/// Returns the state that begins with the letter `first`, which the cursor has passed; -1 for another letter.
/// Throws Error (run) if the file's rule does not have the state; `at` is the place of `first`.
int take_rle_state(const RleLetters& letters, char first, const Cursor& at, Cursor& cursor);

/// Reads the cells of a pattern, from (0, 0) on: `scan` runs twice and calls its argument with (x, y, length,
/// state) for each run of cells in a state above 0. First the size and the states are determined, so that
/// memory is allocated only after the file has been validated. `rule_states` as in RleLetters.
template <class Scan>
void read_runs(const Source& source, int rule_states, const Scan& scan, Pattern& pattern) {
  Extent extent;
  int largest = 1;
  scan([&](std::int64_t x, std::int64_t y, std::int64_t length, int state) {
    extent.add(x, y, length);
    largest = std::max(largest, state);
  });
  const Size size = extent.box(true).size();
  require_cells(source, size.width, size.height);
  const int states = largest == 1 ? 2 : std::max(largest + 1, rule_states);
  Cells cells(size.width, size.height, states);
  scan([&](std::int64_t x, std::int64_t y, std::int64_t length, int state) {
    for (int digit = 0; digit < cells.planes(); ++digit) {
      if ((state >> digit & 1) != 0) fill_run(cells.plane(digit), x, y, length);
    }
  });
  if (states == 2) {
    pattern.cells = std::move(cells.plane(0));
  } else {
    pattern.cells = cells.live();
    pattern.states = std::move(cells);
  }
}

/// Inverse of take_rle_state, with all letters as states.
std::string rle_state_text(int state);

}  // namespace moorea::patterns
