// SPDX-License-Identifier: MIT
// "Did you mean": the known name that a text was probably meant to be.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace moorea {

/// The fewest letters to insert, delete, replace or swap with their neighbour that make one text of the other
/// (optimal string alignment distance). Time and memory: the product of the lengths.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The shortest of `names` that begins with `text`, else the one at the least distance; empty where half of
/// the text or more would have to change. Case does not count.
std::string nearest_name(std::string_view text, const std::vector<std::string>& names);

/// "; did you mean NAME?" for the nearest name, or nothing; for the end of an error message.
std::string did_you_mean(std::string_view text, const std::vector<std::string>& names);

}  // namespace moorea
