// SPDX-License-Identifier: MIT
// Texts of rules in files of patterns.
#pragma once

#include <string_view>

#pragma GCC visibility push(default)
namespace moorea {

/// Whether the text of a rule, without a bounded grid, is neither a notation nor a name that needs no file.
bool is_named_by_file(std::string_view core);

}  // namespace moorea
#pragma GCC visibility pop
