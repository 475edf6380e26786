// SPDX-License-Identifier: MIT
// Spelling suggestions: the known name nearest to a misspelt one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)
namespace moorea {

/// Optimal string alignment distance: the minimum number of insertions, deletions, replacements and swaps of
/// adjacent letters that turn one text into the other. Time and memory are proportional to the product of the
/// lengths.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The shortest of `names` that begins with `text`, otherwise the first one whose last part, after its last
/// slash, is the text, otherwise the first one that has the text, of three letters or more, at the beginning
/// of a word there, otherwise the one at the minimum edit distance; empty if that is half of the text's
/// length or more. Case is ignored.
std::string nearest_name(std::string_view text, const std::vector<std::string>& names);

/// Suffix of an error message: "; did you mean NAME?" with the nearest name, or an empty string.
std::string did_you_mean(std::string_view text, const std::vector<std::string>& names);

/// Suffix of an error message for a file that does not exist: did_you_mean() among the files of its folder,
/// with this extension if there is such a name, or else with this name and another extension, or else with
/// this name in a folder "patterns" of that folder, or of those that are installed with the program.
std::string nearest_file(const std::string& path);

}  // namespace moorea
#pragma GCC visibility pop
