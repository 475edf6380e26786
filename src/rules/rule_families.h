// SPDX-License-Identifier: MIT
// Families of rules by their notation.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "moorea/rule.h"
#include "rules/neighbourhoods.h"

namespace moorea {

/// Neighbourhoods of a notation such as B2/S34H.
enum class Neighbours { moore, von_neumann, hexagonal };

/// The rule with such arrangements of live neighbours for birth and for survival. On the other two
/// neighbourhoods a count is not divided into arrangements: any of its bits stands for it.
Rule rule_with(const neighbourhoods::Conditions& birth, const neighbourhoods::Conditions& survival,
               Neighbours neighbours);

/// Number of base64 digits of a MAP string for all cells that a rule may look at (86), for the hexagonal (22)
/// and for the von Neumann neighbourhood (6).
constexpr int map_digits(Neighbours neighbours) {
  return neighbours == Neighbours::moore ? 86 : neighbours == Neighbours::hexagonal ? 22 : 6;
}

/// Value 0 to 63 of a base64 digit, or -1.
int base64_value(char digit);

/// The rule of a MAP string; `values` are those of its digits.
Rule rule_of_map(const std::string& values, Neighbours neighbours);

/// The rule with history whose notation is that of a rule of two states and "History"; else empty.
std::optional<Rule> history_rule(std::string_view core);

/// Family of a rule that Moorea does not support; empty if unknown. Moorea's own are tried first.
std::string other_family(std::string_view core);

/// A name without case, blanks and punctuation.
std::string plain_name(std::string_view name);

}  // namespace moorea
