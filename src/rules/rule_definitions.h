// SPDX-License-Identifier: MIT
// Rules by transitions, with the texts that define them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "moorea/colour.h"
#include "moorea/rule.h"
#include "moorea/transitions.h"

namespace moorea {

/// The rule with this name, if rule_in_files() was given the path of its file or Rule::define() its text:
/// where a rule is written down, as in the header of a pattern, it has its name alone.
std::optional<Rule> given_rule(std::string_view name);

/// A notation, or a name that needs no file. Throws Error (usage) for others.
Rule parse_without_files(std::string_view core);

/// From now on given_rule() is the rule of a file.
void give_rule(const Rule& rule);

/// A rule by transitions that needs no file; empty if there is none of this name.
std::optional<Rule> built_in_rule(std::string_view name);

/// The section COLORS of an @RULE file; empty without colours.
std::string colours_text(std::span<const Colour> colours);

/// Text of an @RULE file.
struct DefinitionText {
  std::string text;
  bool is_everywhere = false;  ///< Golly has the file, so that no pattern contains it
};

/// The rule with the transitions of a file, which remembers its text.
Rule rule_with_text(Transitions transitions, DefinitionText definition);

}  // namespace moorea
