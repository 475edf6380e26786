// SPDX-License-Identifier: MIT
// Texts of rules in files of patterns.
#pragma once

#include <string_view>

#pragma GCC visibility push(default)
namespace moorea {

/// Whether the text of a rule, without a bounded grid, says nothing elsewhere: it is neither a notation, nor
/// a name that needs no file, nor that of a file in Golly's folder.
bool is_own_name(std::string_view core);

}  // namespace moorea
#pragma GCC visibility pop
