// SPDX-License-Identifier: MIT
// Relations of a rule of nine cells to simpler ones, from which cell_network begins: an isotropic rule is a
// function of fewer neighbourhoods after these have been turned, and many rules with names differ in a few
// arrangements from one that counts.
#pragma once

#include "moorea/rule.h"

namespace moorea {

/// The next state of a neighbourhood whose cells are bits row by row, the north west first: bit k is bit
/// 8 - k of those in Rule::Table.
bool next_state(const Rule& rule, unsigned cells);

/// Whether rotations and reflections leave the rule as it is.
bool is_isotropic(const Rule& rule);

/// The life-like rule that agrees with the rule in the most neighbourhoods.
Rule nearest_that_counts(const Rule& rule);

/// The rule by which a cell is alive next where two rules differ.
Rule difference(const Rule& a, const Rule& b);

}  // namespace moorea
