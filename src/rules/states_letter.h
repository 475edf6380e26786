// SPDX-License-Identifier: MIT
// The letter C in notations of births and survivals: of a number of states, or an arrangement of neighbours.
#pragma once

#include <cstddef>
#include <string_view>

namespace moorea {

/// Where a C is the number of states, as in B2S345C4, not the arrangement c of the count before it; npos if
/// there is none. If counts ascend across it a small letter is the arrangement. Throws NotationError for a
/// capital one there, and for a small one, in a text with a slash, that may be the arrangement among counts
/// in another order. `core` has no bounds.
std::size_t states_letter(std::string_view core);

}  // namespace moorea
