// SPDX-License-Identifier: MIT
// Notations of Larger than Life and of block rules.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "moorea/larger_than_life.h"
#include "moorea/rule.h"

namespace moorea {

/// What is wrong in a notation, and where.
struct NotationError {
  std::size_t at;
  std::string expected;
};

/// The rule of a notation of Larger than Life or of blocks; empty if the text is of another family. `core`
/// has no bounds. Throws NotationError.
std::optional<Rule> rule_of_wide_notation(std::string_view core);

/// The end of a notation for a neighbourhood, without the digits of a custom one: ",NC".
std::string suffix_of(LargerThanLife::Shape shape);

/// The canonical notation of a block rule.
std::string text_of_blocks(const Rule::Blocks& blocks);

}  // namespace moorea
