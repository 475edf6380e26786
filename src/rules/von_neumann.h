// SPDX-License-Identifier: MIT
// Von Neumann's cellular automaton and its descendants, which Golly calls JvN29, Nobili32 and Hutton32.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "moorea/transitions.h"

namespace moorea {

enum class VonNeumannRule { jvn29, nobili32, hutton32 };

/// Names that are printed.
std::span<const std::string_view> von_neumann_names();

/// Which one a name without case, blanks and punctuation means (plain_name()); empty: none. The names by
/// which Golly called them first are known, too.
std::optional<VonNeumannRule> von_neumann_rule_of(std::string_view plain);

Transitions von_neumann_transitions(VonNeumannRule which);

/// The next state of a cell from its own and those of the cells in the east, north, west and south.
std::uint8_t von_neumann_next(VonNeumannRule which, std::uint8_t state,
                              const std::array<std::uint8_t, 4>& around);

}  // namespace moorea
