// SPDX-License-Identifier: MIT
// Rules in files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "moorea/rule.h"

namespace moorea {

/// The rule of a file: `name` is the path of an @RULE file, which ends in .rule, or the name of one in
/// rule_folders(), or a rule whose file is part of Moorea. Empty if there is none. Throws Error for a file
/// that cannot be read or has an error.
std::optional<Rule> rule_in_files(std::string_view name);

/// Names of the rules whose files are in rule_folders() or part of Moorea, for suggestions.
std::vector<std::string> names_of_rule_files();

}  // namespace moorea
