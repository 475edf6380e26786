// SPDX-License-Identifier: MIT
// Refusal of rules with more than two states, or with other neighbourhoods than the nine cells.
#pragma once

#include <string_view>

#include "moorea/error.h"
#include "moorea/rule.h"

#pragma GCC visibility push(default)
namespace moorea {

/// Throws Error of this kind if cells of the rule have more than two states; `what` needs two, as in
/// "a checkpoint".
void require_two_states(const Rule& rule, std::string_view what, ErrorKind kind = ErrorKind::usage);

/// Throws Error of this kind unless Rule::has_nine_cells(); `what` needs such rules, as in "an ensemble".
void require_nine_cells(const Rule& rule, std::string_view what, ErrorKind kind = ErrorKind::usage);

}  // namespace moorea
#pragma GCC visibility pop
