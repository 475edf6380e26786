// SPDX-License-Identifier: MIT
// Texts in error messages.
#pragma once

#include <string>

namespace moorea {

/// With question marks for what is no character in UTF-8 and for control characters, which would move a
/// caret.
std::string printable(std::string text);

}  // namespace moorea
