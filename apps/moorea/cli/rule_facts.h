// SPDX-License-Identifier: MIT
// What a rule is, as `moorea info --rule` says it.
#pragma once

#include <string>

#include "cli/app.h"
#include "moorea/world_spec.h"

namespace app {

/// Notation, names, class, births and survivals or transitions, and the cost as logic.
Json rule_facts(const moorea::WorldSpec& spec);

/// "#rrggbb" of each state; null if the rule has no colours.
Json colours_json(const moorea::Rule& rule);

/// The facts in lines for people.
std::string rule_text(const Json& facts);

}  // namespace app
