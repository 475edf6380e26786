// SPDX-License-Identifier: MIT
// Refusal of rules with more than two states.
#pragma once

#include <string_view>

#include "moorea/error.h"
#include "moorea/rule.h"

#pragma GCC visibility push(default)
namespace moorea {

/// Throws Error of this kind if cells of the rule have more than two states; `what` needs two, as in
/// "an ensemble".
void require_two_states(const Rule& rule, std::string_view what, ErrorKind kind = ErrorKind::usage);

}  // namespace moorea
#pragma GCC visibility pop
