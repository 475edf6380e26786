// SPDX-License-Identifier: MIT
// What to start from: patterns that everybody knows, and worlds by name, for studies.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "moorea/grid.h"
#include "moorea/pattern.h"

namespace moorea {

/// A pattern file of those that come with Moorea.
struct BundledPattern {
  std::string_view name;  ///< the file's, "acorn.rle"
  std::string_view text;  ///< what parse_pattern() reads
};

/// All of them, in the order of their names.
std::span<const BundledPattern> bundled_patterns();

/// The one whose file has this name, "acorn.rle". Throws Error (usage) where there is none.
Pattern bundled_pattern(std::string_view name);

struct StartInfo {
  std::string_view name;     ///< with the numbers that may follow it, "diehards:SPACING"
  std::string_view summary;  ///< one line
};

/// Every kind of starting world.
std::span<const StartInfo> starting_worlds();

/// A world of `width` x `height` cells that starts as `name` says:
///   random[:DENSITY[:SEED]]   noise, as Grid::random; 0.5 and 0 where they are left out
///   guns[:SPACING]            Gosper's glider guns, one in every square of SPACING cells (128)
///   spaceships[:SPACING]      gliders and light-, middle- and heavyweight spaceships, turned by right
///                             angles from each to the next, one in every square (256)
///   diehards[:SPACING]        the pattern of seven cells that is gone after 130 generations (64)
///   r-pentominoes[:SPACING]   the pattern of five cells that takes 1103 generations to settle (256)
///   file:PATH                 a pattern in the middle of the world
///   tiled:SPACING:PATH        one copy of a pattern in every square
/// Squares begin at column and row 0; those that do not fit are left empty. Throws Error (usage) with the
/// names there are, Error (run) for a file that cannot be read or a pattern that does not fit.
Grid starting_world(const std::string& name, std::int64_t width, std::int64_t height);

}  // namespace moorea
