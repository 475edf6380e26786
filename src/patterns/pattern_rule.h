// SPDX-License-Identifier: MIT
// Rules of patterns in files.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "moorea/pattern.h"

namespace moorea::patterns {

/// The rule that the pattern's text names, without a bounded grid; empty if it is not supported.
std::optional<Rule> rule_of(const Pattern& pattern);

/// The pattern's rule as text, without a bounded grid.
std::string_view core_of(const Pattern& pattern);

/// The pattern's rule, which is `rule`, as text with the bounded grid: of a rule of two states in a file,
/// whose name says nothing elsewhere, the notation.
std::string notation_of(const Pattern& pattern, const Rule& rule);

/// Number of states of a rule in a file, 0 for rules of two states and those that are not supported.
int states_of_rule(const Pattern& pattern);

}  // namespace moorea::patterns
