// SPDX-License-Identifier: MIT
// What a misspelt rule may have meant.
#pragma once

#include <string>
#include <string_view>

namespace moorea {

/// A line with the nearest name of a rule or of a rule's file; empty if there is none.
std::string suggestion(std::string_view core);

}  // namespace moorea
