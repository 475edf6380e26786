// SPDX-License-Identifier: MIT
// Refusal of rules that do not count neighbours.
#pragma once

#include <string_view>

#include "moorea/rule.h"

#pragma GCC visibility push(default)
namespace moorea {

/// Throws Error (usage) if the rule is not life-like; `what` needs one, as in "identify".
void require_life_like(const Rule& rule, std::string_view what);

}  // namespace moorea
#pragma GCC visibility pop
