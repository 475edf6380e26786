// SPDX-License-Identifier: MIT
// Rules of patterns in files.
#pragma once

#include <optional>

#include "moorea/pattern.h"

namespace moorea::patterns {

/// The rule that the pattern's text names, without a bounded grid; empty if it is not supported.
std::optional<Rule> rule_of(const Pattern& pattern);

/// Number of states of a rule in a file, 0 for rules of two states and those that are not supported.
int states_of_rule(const Pattern& pattern);

}  // namespace moorea::patterns
