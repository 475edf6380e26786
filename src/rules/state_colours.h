// SPDX-License-Identifier: MIT
// The colours of states in @RULE files (Golly Help, "Rule format").
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "moorea/colour.h"
#include "moorea/rule.h"
#include "rules/rule_lines.h"

namespace moorea {

/// The section COLORS of a file, line by line.
class StateColours {
 public:
  /// Reads a line: a state and its red, green and blue, or two colours between which all live states are;
  /// what follows is a comment. Throws Error for another line.
  void read(std::string_view line, const RuleLines& lines);

  /// The colours of so many states. A state that was not named has that of Golly: dark grey if it is 0, else
  /// between red and yellow. None if no line was read.
  std::vector<Colour> of(int states) const;

 private:
  struct Gradient {
    Colour first{255, 0, 0}, last{255, 255, 0};
  };

  bool any_ = false;
  Gradient gradient_;
  std::array<std::optional<Colour>, Rule::max_states> named_;
};

}  // namespace moorea
