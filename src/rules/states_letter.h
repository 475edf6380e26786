// SPDX-License-Identifier: MIT
// The letter C in notations of births and survivals: of a number of states, or an arrangement of neighbours.
#pragma once

#include <cstddef>
#include <string_view>

namespace moorea {

/// Where a C is the number of states, as in B2S345C4, not the arrangement c of the count before it, after
/// which counts ascend; npos if there is none. Hensel's letters are small ones: where both are possible, a
/// capital letter, and a small one in a text with a slash, are refused by NotationError. `core` has no
/// bounds.
std::size_t states_letter(std::string_view core);

}  // namespace moorea
