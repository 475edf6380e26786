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

enum class Constructor { von_neumann, nobili, hutton };

/// Names that are printed.
std::span<const std::string_view> constructor_names();

/// Which one a name without case, blanks and punctuation means (plain_name()); empty: none. The names by
/// which Golly called them first are known, too.
std::optional<Constructor> constructor_of(std::string_view plain);

Transitions constructor_rule(Constructor which);

/// The next state of a cell from its own and those of the cells in the east, north, west and south.
std::uint8_t constructor_next(Constructor which, std::uint8_t state,
                              const std::array<std::uint8_t, 4>& around);

}  // namespace moorea
