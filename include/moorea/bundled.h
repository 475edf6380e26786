// SPDX-License-Identifier: MIT
// Patterns that are part of the library.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "moorea/grid.h"
#include "moorea/pattern.h"

#pragma GCC visibility push(default)
namespace moorea {

/// A pattern file that is part of the library.
struct BundledPattern {
  std::string_view name;  ///< file name, "acorn.rle"
  std::string_view text;  ///< its contents, for parse_pattern()
};

/// All bundled patterns, ordered by name.
std::span<const BundledPattern> bundled_patterns();

/// A bundled pattern by file name, "acorn.rle". Throws Error (usage) for an unknown name.
Pattern bundled_pattern(std::string_view name);

}  // namespace moorea
#pragma GCC visibility pop
