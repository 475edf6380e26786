// SPDX-License-Identifier: MIT
// Starting worlds by name, for benchmarks and studies.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "moorea/grid.h"

#pragma GCC visibility push(default)
namespace moorea {

struct StartInfo {
  std::string_view name;     ///< name and optional parameters, "diehards:SPACING"
  std::string_view summary;  ///< one line
};

/// All kinds of starting worlds.
std::span<const StartInfo> starting_worlds();

/// Creates a world of `width` x `height` cells by name, with the parameters listed by starting_worlds():
/// "random:0.3:7" is noise of density 0.3 and seed 7, "guns:128" has a glider gun in every square of 128 x
/// 128 cells, "tiled:64:PATH" a copy of a pattern file in every square, "still-picture" one picture as large
/// as the world. Squares begin at column and row 0; incomplete ones are empty. Throws Error (usage), with all
/// names, for an unknown one, Error (run) for a file that cannot be read or a pattern that does not fit.
Grid starting_world(const std::string& name, std::int64_t width, std::int64_t height);

}  // namespace moorea
#pragma GCC visibility pop
